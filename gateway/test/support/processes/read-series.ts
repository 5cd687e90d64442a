/** Reads a metric of a gateway process at its ops address. */

/**
 * Returns the series of a metric by their labels as Prometheus writes them; empty while the process does
 * not respond.
 */
export async function readSeries(opsUrl: string, name: string): Promise<ReadonlyMap<string, number>> {
  const text = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.text(),
    () => '',
  )
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(name.length, end), Number(line.slice(end + 1))]
    }),
  )
}
