/**
 * The state of an Idempotency-Key in Redis, and its transitions, each an atomic script. The msgKeys are stored with the
 * claim and outlive it: a request that takes over an expired claim sends under the same keys, and intake drops
 * duplicates.
 */
import { defineScript } from '../../platform/redis.ts'

/** ARGV: fingerprint, owner, msgKeys, leaseMs, lifetimeMs. */
export const claimScript = defineScript(
  'claimIdempotencyKey',
  `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lease = string.format('%.0f', now + ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'fingerprint', 'status', 'body', 'leaseUntil', 'msgKeys')
if not kept[1] then
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'msgKeys', ARGV[3], 'leaseUntil', lease)
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return {'claimed', ARGV[3]}
end
if kept[1] ~= ARGV[1] then return {'other'} end
if kept[2] then return {'answered', kept[2], kept[3]} end
if tonumber(kept[4]) > now then return {'busy'} end
redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'leaseUntil', lease, 'isRepeated', '1')
return {'claimed', kept[5]}
`,
)

/** ARGV: owner, status, body. An owner whose claim was taken over changes nothing. */
export const finishScript = defineScript(
  'finishIdempotencyKey',
  `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'status', ARGV[2], 'body', ARGV[3])
redis.call('HDEL', KEYS[1], 'owner', 'leaseUntil', 'msgKeys')
return 1
`,
)

/** ARGV: owner. The next request may claim the key immediately, under the same msgKeys. */
export const releaseScript = defineScript(
  'releaseIdempotencyKey',
  `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'leaseUntil', '0')
return 1
`,
)

/** ARGV: owner. The key is unused again, unless an earlier request with it may have been accepted. */
export const forgetScript = defineScript(
  'forgetIdempotencyKey',
  `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[1], 'isRepeated') == 1 then
  redis.call('HSET', KEYS[1], 'leaseUntil', '0')
  return 0
end
return redis.call('DEL', KEYS[1])
`,
)
