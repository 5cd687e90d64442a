/** `postern trust list`, `enable` and `disable`. */
import type { Config } from '../../platform/config.ts'
import { isRuleId, switchedRules, type RuleId } from '../../trust/rules.ts'
import { readSwitches, setSwitches } from '../../trust/switches.ts'
import { actOf, type ActOptions } from '../act.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import { table, type Result } from '../result.ts'

export async function listRules(): Promise<Result> {
  const known = new Map((await withDatabase(readSwitches)).map((row) => [row.rule, row]))
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
  given: readonly string[],
  enabled: boolean,
  options: ActOptions,
): Promise<Result> {
  const rules = readRules(given)
  const act = actOf(options, enabled ? 'turned on' : 'turned off')
  await withDatabase(async (database, config) => {
    if (enabled) checkSettings(rules, config)
    await setSwitches(database, rules, enabled, act)
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

function checkSettings(rules: readonly RuleId[], { originCode }: Config): void {
  if (rules.includes('origin-code-present') && originCode === undefined)
    throw new UsageError(
      'origin-code-present needs POSTERN_ORIGIN_CODE in the environment of every process, and of this command; set it to your registration number first',
    )
}
