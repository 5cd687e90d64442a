/** `postern trust list`, `enable` and `disable`. */
import { listRules as readAll, readRules, switchRules as setRules } from '../../acts/rules.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export async function listRules(invocation: Invocation): Promise<Result> {
  const rules = await withDatabase(invocation, (database) => readAll(database))
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
  await withDatabase(invocation, (_database, config, audit) => setRules(audit, config, rules, enabled))
  const text = `${rules.join(', ')}: ${enabled ? 'on' : 'off'}; running processes follow within two seconds`
  return { json: { rules, enabled }, lines: [text] }
}
