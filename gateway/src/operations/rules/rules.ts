/** Switches trust rules and decides on held messages. */
import type { Config } from '../../platform/settings/config.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { refuseHeld } from '../../records/messages/stopped.ts'
import { releaseHeld } from '../../records/waiting/suspended.ts'
import { isRuleId, rules as knownRules, switchedRules, type RuleId } from '../../trust/rules.ts'
import { readSwitches, setSwitches } from '../../trust/switches.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError } from '../errors.ts'

/** Lists all rules. A rule without a switch is always on. */
export async function describeRules(database: Queryable) {
  const switches = new Map((await readSwitches(database)).map((row) => [row.rule, row]))
  return knownRules.map(({ id, demands, enforcedAt, settings = [], code = null, initiallyOn }) => {
    const isSwitched = initiallyOn !== undefined
    const {
      enabled = !isSwitched,
      changedAt = null,
      changedBy = null,
      reason = null,
    } = switches.get(id) ?? {}
    const control = isSwitched ? ('switch' as const) : ('always' as const)
    return { rule: id, demands, enforcedAt, settings, code, control, enabled, changedAt, changedBy, reason }
  })
}

/** `all` means every rule with a switch. */
export function readRules(given: readonly string[]): RuleId[] {
  if (given.includes('all')) return [...switchedRules]
  return given.map((rule) => {
    if (isRuleId(rule) && switchedRules.includes(rule)) return rule
    throw new OperationError(
      'invalid-request',
      `rule '${rule}' not found or without a switch; expected one of ${switchedRules.join(', ')}`,
      { field: 'rule' },
    )
  })
}

export async function switchRules(
  audit: AuditRecorder,
  config: Pick<Config, 'originCode'>,
  rules: readonly RuleId[],
  enabled: boolean,
): Promise<void> {
  if (enabled && rules.includes('origin-code-present') && config.originCode === undefined)
    throw new OperationError(
      'invalid-request',
      'origin-code-present requires POSTERN_ORIGIN_CODE in the environment of every process; set it to your registration number first',
      { field: 'rule' },
    )
  await audit.change(async (transaction) => {
    await setSwitches(transaction, rules, enabled, audit.contextFor(enabled ? 'turned on' : 'turned off'))
    return [null, { target: rules.join(', ') }]
  })
}

/** Sends or closes held messages. Returns how many of them were held. */
export function decideHeld(
  database: Database,
  audit: AuditRecorder,
  keys: readonly string[],
  decision: 'release' | 'refuse',
): Promise<number> {
  const subject = { target: `${keys.length} held messages`, details: { first: keys.slice(0, 100) } }
  return audit.around(
    subject,
    () => (decision === 'release' ? releaseHeld(database, keys) : refuseHeld(database, keys)),
    (count) => ({ count }),
  )
}
