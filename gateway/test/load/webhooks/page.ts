/** Writes docs/evidence/at-size.md: the run with kills and the run without have their own sections. */
import { describeMeasurement } from '../../support/measure/measurement.ts'
import { writeDocSection } from '../../support/measure/write-doc.ts'
import type { WebhookLoadOptions } from './load.ts'
import { listWebhookFigures, listViolations, type LoadResult } from './result.ts'

export async function writePage(options: WebhookLoadOptions, result: LoadResult): Promise<void> {
  const section = options.kill ? 'webhooks with kills' : 'webhooks'
  await writeDocSection('evidence/at-size.md', section, sectionOf(options, result))
}

/** The figures that the page shows; the terminal shows all. */
const pageFigures = /^(acknowledged|lost|healthy)/

function sectionOf(options: WebhookLoadOptions, result: LoadResult): string {
  const { endpoints, dead, slow, flaky, perSecond, seconds, workers } = options
  const violations = listViolations(result)
  const rows = listWebhookFigures(result)
    .filter(([name]) => pageFigures.test(name))
    .map(([name, figure]) => `- ${name}: ${figure}`)
  return [
    `${endpoints} webhooks (${dead} dead, ${slow} slow, ${flaky} failing half), ${perSecond} reports per second for ${seconds} s, ` +
      `${workers} workers${result.killed.length > 0 ? `; ${result.killed.join('; ')}` : ''}.`,
    rows.join('\n'),
    `${violations.length === 0 ? 'Every limit was kept.' : `Not kept: ${violations.join('; ')}.`} ${describeMeasurement()}`,
  ].join('\n\n')
}
