/**
 * Atomic scripts for the states of an Idempotency-Key in Redis. The msgKeys are stored with the claim and
 * outlive it: a request that takes over an expired claim sends under the same keys, and intake drops
 * duplicates.
 *
 * KEYS of each script: the Idempotency-Key, and the bytes of the account's live keys. The second is a hash
 * with a field for each hour in which keys were claimed (`k`) and each ten minutes in which they became
 * refusals (`r`), so expired bytes are subtracted without reading the keys. `total` is their sum, corrected
 * every ten minutes. Nothing is counted if the account has no limit.
 */
import { defineScript } from '../../../platform/redis.ts'

/** Defines `now` in milliseconds and the current hour and ten-minute slots. */
const slots = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local hour, tens = math.floor(now / 3600000), math.floor(now / 600000)
`

/**
 * ARGV: fingerprint, owner, msgKeys, leaseMs, lifetimeMs, bytes of the claim, maximum bytes of the account (0
 * means no limit), and 1 to enforce the maximum.
 */
export const claimScript = defineScript(
  'claimIdempotencyKey',
  `${slots}
local function countLive()
  local kept = redis.call('HMGET', KEYS[2], 'total', 'swept')
  if kept[2] == tostring(tens) then return tonumber(kept[1]) end
  local total = 0
  local fields = redis.call('HGETALL', KEYS[2])
  for i = 1, #fields, 2 do
    local kind, slot = string.match(fields[i], '^([kr])(%d+)$')
    if kind then
      local past = kind == 'k' and tonumber(slot) < hour - 24 or kind == 'r' and tonumber(slot) < tens - 1
      if past then redis.call('HDEL', KEYS[2], fields[i]) else total = total + tonumber(fields[i + 1]) end
    end
  end
  redis.call('HSET', KEYS[2], 'total', total, 'swept', tens)
  return total
end
local lease = string.format('%.0f', now + ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'fingerprint', 'status', 'body', 'leaseUntil', 'msgKeys', 'earlier')
if not kept[1] then
  local isCounted = ARGV[7] ~= '0'
  if isCounted and countLive() + ARGV[6] > tonumber(ARGV[7]) and ARGV[8] == '1' then return {'full'} end
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'msgKeys', ARGV[3], 'leaseUntil', lease)
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  if isCounted then
    redis.call('HSET', KEYS[1], 'claimedIn', hour, 'bytes', ARGV[6])
    redis.call('HINCRBY', KEYS[2], 'k' .. hour, ARGV[6])
    redis.call('HINCRBY', KEYS[2], 'total', ARGV[6])
    redis.call('PEXPIRE', KEYS[2], ARGV[5] + 3600000)
  end
  return {'claimed', ARGV[3]}
end
if kept[1] ~= ARGV[1] then return {'other'} end
if kept[2] then return {'answered', kept[2], kept[3]} end
if tonumber(kept[4]) > now then return {'busy'} end
redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'leaseUntil', lease)
-- What the owner before knew is outdated if this one ends without a word.
redis.call('HDEL', KEYS[1], 'earlier')
return {'claimed', kept[5], kept[6] or 'unknown'}
`,
)

/**
 * ARGV: owner, status, body, bytes of the response, lifetimeMs (0 keeps the current expiry). An owner whose
 * claim was taken over changes nothing.
 */
export const finishScript = defineScript(
  'finishIdempotencyKey',
  `${slots}
local kept = redis.call('HMGET', KEYS[1], 'owner', 'claimedIn', 'bytes')
if kept[1] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'status', ARGV[2], 'body', ARGV[3])
redis.call('HDEL', KEYS[1], 'owner', 'leaseUntil', 'msgKeys', 'earlier', 'claimedIn', 'bytes')
local expiresSoon = ARGV[5] ~= '0'
if expiresSoon then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
if kept[3] then
  redis.call('HINCRBY', KEYS[2], 'k' .. kept[2], -kept[3])
  redis.call('HINCRBY', KEYS[2], expiresSoon and 'r' .. tens or 'k' .. kept[2], ARGV[4])
  redis.call('HINCRBY', KEYS[2], 'total', ARGV[4] - kept[3])
end
return 1
`,
)

/**
 * ARGV: owner, and what is known about the messages. The next request may claim the key immediately, under the
 * same msgKeys, and learns what this one knew.
 */
export const releaseScript = defineScript(
  'releaseIdempotencyKey',
  `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'leaseUntil', '0', 'earlier', ARGV[2])
return 1
`,
)

/** ARGV: owner. The key is unused again. */
export const forgetScript = defineScript(
  'forgetIdempotencyKey',
  `
local kept = redis.call('HMGET', KEYS[1], 'owner', 'claimedIn', 'bytes')
if kept[1] ~= ARGV[1] then return 0 end
if kept[3] then
  redis.call('HINCRBY', KEYS[2], 'k' .. kept[2], -kept[3])
  redis.call('HINCRBY', KEYS[2], 'total', -kept[3])
end
return redis.call('DEL', KEYS[1])
`,
)
