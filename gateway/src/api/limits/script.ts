/**
 * The token bucket of bucket.ts inside Redis, shared by all processes. It uses the clock of Redis, because those of the
 * processes may differ. The key expires when the bucket is full again.
 */
import type { Redis } from 'ioredis'
import { defineScript } from '../../platform/redis.ts'
import type { Pace, Run, Taken } from './bucket.ts'

/** KEYS: the bucket. ARGV: perSecond, burst, then cost and count of each run. Returns the debt and the grants. */
const takeTokens = defineScript(
  'takeTokens',
  `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local perSecond, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local debt = 0
local kept = redis.call('GET', KEYS[1])
if kept then
  local before, at = string.match(kept, '^(%S+) (%S+)$')
  debt = math.max(0, before - math.max(0, now - at) * perSecond / 1000000)
end
local answer = {''}
local taken = 0
for i = 3, #ARGV, 2 do
  local cost, count = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local granted = count
  if cost > 0 then granted = math.max(0, math.min(count, math.floor((burst - debt) / cost))) end
  debt = math.max(0, debt + granted * cost)
  taken = taken + granted
  answer[#answer + 1] = granted
end
if taken > 0 then
  local full = math.ceil(debt * 1000 / perSecond) + 1
  redis.call('SET', KEYS[1], string.format('%.17g %.0f', debt, now), 'PX', full)
end
answer[1] = string.format('%.6f', debt)
return answer
`,
)

export async function takeShared(
  redis: Redis,
  key: string,
  { perSecond, burst }: Pace,
  runs: readonly Run[],
): Promise<Taken> {
  const args = runs.flatMap(({ cost, count }) => [cost, count])
  const [debt, ...grants] = (await takeTokens(redis, [key], [perSecond, burst, ...args])) as [
    string,
    ...number[],
  ]
  return { debt: Number(debt), grants }
}
