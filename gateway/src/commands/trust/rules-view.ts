/** Rules as `postern trust list`, `enable` and `disable` print them, over either way. Pure. */
import { table, timeText, type Result } from '../result.ts'

interface ShownRule {
  readonly rule: string
  readonly enabled: boolean
  readonly changedAt: Date | string | null
  readonly changedBy: string | null
  readonly reason: string | null
}

export function rulesResult(rules: readonly ShownRule[]): Result {
  const rows = rules.map(({ rule, enabled, changedAt, changedBy, reason }) => [
    rule,
    enabled ? 'on' : 'off',
    changedAt === null ? '-' : timeText(changedAt).slice(0, 19),
    changedBy ?? '-',
    reason ?? '-',
  ])
  return { json: { rules }, lines: table([['rule', 'state', 'since', 'by', 'reason'], ...rows]) }
}

export function switchedResult(rules: readonly string[], enabled: boolean): Result {
  const text = `${rules.join(', ')}: ${enabled ? 'on' : 'off'}; running processes follow within two seconds`
  return { json: { rules, enabled }, lines: [text] }
}
