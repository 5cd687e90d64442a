/** `postern trust list`, `enable` and `disable`. */
import type { Config } from '../../platform/config.ts'
import { isRuleId, switchedRules, type RuleId } from '../../trust/rules.ts'
import { readSwitches, setSwitches } from '../../trust/switches.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export async function listRules(invocation: Invocation): Promise<Result> {
  const known = new Map(
    (await withDatabase(invocation, (database) => readSwitches(database))).map((row) => [row.rule, row]),
  )
  const rules = switchedRules.map((rule) => {
    const { enabled = false, changedAt = null, changedBy = null, reason = null } = known.get(rule) ?? {}
    return { rule, enabled, changedAt, changedBy, reason }
  })
  const rows = rules.map(({ rule, enabled, changedAt, changedBy, reason }) => [
    rule,
    enabled ? 'on' : 'off',
    changedAt?.toISOString().slice(0, 19) ?? '-',
    changedBy ?? '-',
    reason ?? '-',
  ])
  return { json: { rules }, lines: table([['rule', 'state', 'since', 'by', 'reason'], ...rows]) }
}

export async function switchRules(
  invocation: Invocation<'originCode'>,
  given: readonly string[],
  enabled: boolean,
): Promise<Result> {
  const rules = readRules(given)
  await withDatabase(invocation, async (_database, config, audit) => {
    if (enabled) checkSettings(rules, config)
    await audit.change(async (transaction) => {
      await setSwitches(transaction, rules, enabled, audit.actFor(enabled ? 'turned on' : 'turned off'))
      return [null, { target: rules.join(', ') }]
    })
  })
  const text = `${rules.join(', ')}: ${enabled ? 'on' : 'off'}; running processes follow within two seconds`
  return { json: { rules, enabled }, lines: [text] }
}

function readRules(given: readonly string[]): RuleId[] {
  if (given.includes('all')) return [...switchedRules]
  return given.map((rule) => {
    if (isRuleId(rule) && switchedRules.includes(rule)) return rule
    throw new UsageError(
      `there is no rule '${rule}' that can be switched; the rules are ${switchedRules.join(', ')}`,
    )
  })
}

function checkSettings(rules: readonly RuleId[], { originCode }: Pick<Config, 'originCode'>): void {
  if (rules.includes('origin-code-present') && originCode === undefined)
    throw new UsageError(
      'origin-code-present needs POSTERN_ORIGIN_CODE in the environment of every process, and of this command; set it to your registration number first',
    )
}
