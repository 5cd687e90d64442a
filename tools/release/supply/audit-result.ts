/** Reads the output of `npm audit --json`. */

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity?: string }>>
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
  readonly message?: string
}

const failing = ['high', 'critical']

export interface AuditResult {
  readonly text: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
}

export function readAudit(output: string): AuditResult {
  const audit = parse(output)
  if (audit?.metadata?.vulnerabilities === undefined) {
    const reason = audit?.message ?? 'no response'
    const text = `audit skipped: the registry cannot be reached (${reason.slice(0, 200)})`
    return { text, outcome: 'skipped' }
  }
  const found = Object.entries(audit.vulnerabilities ?? {}).filter(([, { severity = '' }]) =>
    failing.includes(severity),
  )
  const counts = Object.entries(audit.metadata.vulnerabilities)
    .filter(([severity, count]) => severity !== 'total' && count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
  const summary = counts.length === 0 ? 'no known vulnerability' : counts.join(', ')
  return found.length === 0
    ? { text: `audit: ${summary}`, outcome: 'passed' }
    : { text: `audit: ${summary}; update ${found.map(([name]) => name).join(', ')}`, outcome: 'failed' }
}

function parse(output: string): Audit | undefined {
  try {
    return JSON.parse(output) as Audit
  } catch {
    return undefined
  }
}
