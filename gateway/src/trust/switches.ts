/**
 * The switches of trust rules. The only writer of trust_rules. A rule that has a switch (`initiallyOn`) is disabled
 * without a row; other rules have none and are always on.
 */
import type { AuditContext } from '../identity/audit/context.ts'
import { inTransaction, type Queryable, type Transactional } from '../platform/database/database.ts'
import { isRuleId, type RuleId } from './rules.ts'
import { incrementVersion } from './versions.ts'

export interface RuleSwitch {
  readonly rule: RuleId
  readonly enabled: boolean
  readonly changedAt: Date
  readonly changedBy: string
  readonly reason: string
}

/** Reads the switches; skips rules of a later version. */
export async function readSwitches(database: Queryable): Promise<RuleSwitch[]> {
  const result = await database.query<Omit<RuleSwitch, 'rule'> & { rule: string }>(
    `select rule, enabled, changed_at as "changedAt", changed_by as "changedBy", reason from trust_rules order by rule`,
  )
  return result.rows.filter((row): row is RuleSwitch => isRuleId(row.rule))
}

export async function setSwitches(
  database: Transactional,
  ruleIds: readonly RuleId[],
  enabled: boolean,
  { by, reason }: AuditContext,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await incrementVersion(transaction, 'rules')
    await transaction.query(
      `insert into trust_rules (rule, enabled, changed_by, reason)
       select rule, $2, $3, $4 from unnest($1::text[]) as rule
       on conflict (rule) do update
          set enabled = excluded.enabled, changed_at = now(), changed_by = excluded.changed_by, reason = excluded.reason`,
      [ruleIds, enabled, by, reason],
    )
  })
}
