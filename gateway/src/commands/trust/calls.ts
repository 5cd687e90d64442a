/** `postern trust list`, `enable` and `disable` over the admin API. */
import type { AdminClient } from '../client/client.ts'
import { UsageError } from '../errors.ts'
import { failedAfter } from '../client/explain.ts'
import type { Result } from '../result.ts'
import { rulesResult, switchedResult } from './rules-view.ts'

export async function listRules(admin: AdminClient): Promise<Result> {
  return rulesResult(await readSwitched(admin))
}

/** Those that can be switched. */
async function readSwitched(admin: AdminClient) {
  const { rules } = await admin.call('listRules', {})
  return rules
    .filter(({ control }) => control === 'switch')
    .map(({ rule, enabled, changedAt, changedBy, reason }) => ({
      ...{ rule, enabled, changedAt, changedBy, reason },
    }))
}

/** One request for each: all names are checked before the first. */
export async function switchRules(
  admin: AdminClient,
  given: readonly string[],
  enabled: boolean,
): Promise<Result> {
  const known = (await readSwitched(admin)).map(({ rule }) => rule)
  const wrong = given.find((rule) => rule !== 'all' && !known.includes(rule))
  if (wrong !== undefined)
    throw new UsageError(
      `there is no rule '${wrong}' that can be switched; the rules are ${known.join(', ')}`,
    )
  const rules = given.includes('all') ? known : given
  const body = admin.requireReason()
  for (const [done, rule] of rules.entries())
    await admin
      .call(enabled ? 'enableRule' : 'disableRule', { params: { rule }, body })
      .catch((error: unknown) => {
        const before = `${rules.slice(0, done).join(', ')}: ${enabled ? 'on' : 'off'}`
        throw done === 0 ? error : failedAfter(before, error)
      })
  return switchedResult(rules, enabled)
}
