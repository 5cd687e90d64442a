/**
 * The token buckets of `bucket.ts` inside Redis, shared by all processes. The script uses the clock of Redis,
 * because the clocks of the processes may differ. A key expires when its bucket is full again.
 */
import type { Redis } from 'ioredis'
import { defineScript } from '../redis.ts'
import type { TakeOutcome, BucketTake } from './bucket.ts'

/**
 * KEYS: the buckets. ARGV: perSecond and burst of each bucket; then for each request the number of its takes,
 * and the bucket and cost of each take. Returns the debts of the buckets, then for each request the number of
 * the take that was refused, counted from 1, or 0 if all were granted.
 */
const takeTokens = defineScript(
  'takeTokens',
  `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local debts, taken = {}, {}
for i, key in ipairs(KEYS) do
  debts[i] = 0
  local stored = redis.call('GET', key)
  if stored then
    local before, at = string.match(stored, '^(%S+) (%S+)$')
    debts[i] = math.max(0, before - math.max(0, now - at) * ARGV[2 * i - 1] / 1000000)
  end
end
local refusals = {}
local at = 2 * #KEYS + 1
while at <= #ARGV do
  local last = at + 2 * ARGV[at]
  local refused_by = 0
  for i = at + 1, last, 2 do
    local bucket, cost = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
    if refused_by == 0 and cost > 0 and debts[bucket] + cost > tonumber(ARGV[2 * bucket]) then
      refused_by = (i - at + 1) / 2
    end
  end
  if refused_by == 0 then
    for i = at + 1, last, 2 do
      local bucket, cost = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
      if cost ~= 0 then
        debts[bucket] = math.max(0, debts[bucket] + cost)
        taken[bucket] = true
      end
    end
  end
  refusals[#refusals + 1] = refused_by
  at = last + 1
end
local result = {}
for i, key in ipairs(KEYS) do
  if taken[i] then
    local full = math.ceil(debts[i] * 1000 / ARGV[2 * i - 1]) + 1
    redis.call('SET', key, string.format('%.17g %.0f', debts[i], now), 'PX', string.format('%.0f', full))
  end
  result[i] = string.format('%.6f', debts[i])
end
for _, refused_by in ipairs(refusals) do result[#result + 1] = refused_by end
return result
`,
)

/** Takes from all buckets of a request or from none, request by request, in one call. */
export async function takeShared(
  redis: Redis,
  keyPrefix: string,
  requests: readonly (readonly BucketTake[])[],
): Promise<TakeOutcome[]> {
  const numbers = new Map<string, number>()
  const limits: number[] = []
  const args: number[] = []
  for (const takes of requests) {
    args.push(takes.length)
    for (const { key, limit, cost } of takes) {
      let number = numbers.get(key)
      if (number === undefined) {
        numbers.set(key, (number = numbers.size + 1))
        limits.push(limit.perSecond, limit.burst)
      }
      args.push(number, cost)
    }
  }
  const keys = [...numbers.keys()].map((key) => keyPrefix + key)
  const result = (await takeTokens(redis, keys, [...limits, ...args])) as (string | number)[]
  return requests.map((takes, index) => {
    const refused = Number(result[keys.length + index])
    return {
      refusedBy: refused === 0 ? null : refused - 1,
      debts: takes.map(({ key }) => Number(result[numbers.get(key)! - 1])),
    }
  })
}
