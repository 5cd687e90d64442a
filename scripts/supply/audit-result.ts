/** What `npm audit --json` has printed, as a line for the reader and whether the run fails. Pure. */

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity?: string }>>
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
  readonly message?: string
}

const failing = ['high', 'critical']

export function readAudit(output: string): { readonly text: string; readonly failed: boolean } {
  const audit = parse(output)
  if (audit?.metadata?.vulnerabilities === undefined) {
    const reason = audit?.message ?? 'no answer'
    return { text: `audit SKIPPED: the registry cannot be asked (${reason.slice(0, 200)})`, failed: false }
  }
  const found = Object.entries(audit.vulnerabilities ?? {}).filter(([, { severity = '' }]) =>
    failing.includes(severity),
  )
  const counts = Object.entries(audit.metadata.vulnerabilities)
    .filter(([severity, count]) => severity !== 'total' && count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
  const summary = counts.length === 0 ? 'no known vulnerability' : counts.join(', ')
  return found.length === 0
    ? { text: `audit: ${summary}`, failed: false }
    : { text: `audit: ${summary}; update ${found.map(([name]) => name).join(', ')}`, failed: true }
}

function parse(output: string): Audit | undefined {
  try {
    return JSON.parse(output) as Audit
  } catch {
    return undefined
  }
}
