/** Polls, counts and acknowledges all reports of the account, batch by batch like a client. */
export interface PolledReports {
  readonly records: number
  readonly seconds: number
  /** Number of records with a code other than success. */
  readonly wrong: number
  readonly repeated: number
}

interface Batch {
  readonly code: string
  readonly data?: {
    readonly reportId: string
    readonly report: readonly { readonly msgKey: string; readonly reportCode: string; readonly ref: string }[]
  }
}

export async function pollAll(port: number, token: string): Promise<PolledReports> {
  const url = `http://127.0.0.1:${port}/v1/report/polling`
  const headers = { authorization: `Bearer ${token}` }
  const seen = new Set<string>()
  const began = performance.now()
  let records = 0
  let wrong = 0
  let repeated = 0
  for (;;) {
    const { code, data } = (await (await fetch(url, { headers })).json()) as Batch
    if (code !== 'A000' || data === undefined) throw new Error(`polling failed: ${code}`)
    if (data.report.length === 0) break
    for (const report of data.report) {
      if (seen.has(report.ref)) repeated++
      seen.add(report.ref)
      if (report.reportCode !== '10000') wrong++
    }
    records += data.report.length
    const acknowledged = await fetch(`${url}/${data.reportId}`, { method: 'DELETE', headers })
    if (!acknowledged.ok) throw new Error(`acknowledgement failed: HTTP ${acknowledged.status}`)
  }
  return { records, seconds: (performance.now() - began) / 1000, wrong, repeated }
}
