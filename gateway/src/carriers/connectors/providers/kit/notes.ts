/** Generates the notes and the details of a provider's documentation page from its module. */
import type { Provider } from './provider.ts'

export function describeProvider({ unconfirmed = [], notes = '' }: Provider): string {
  return [
    notes,
    ...(unconfirmed.length === 0
      ? []
      : ['Not confirmed by a public source:', unconfirmed.map((line) => `- ${line}`).join('\n')]),
  ].join('\n\n')
}

export function describeDetails(provider: Provider): string {
  const { lookup, callback, poll, repeatable, sources, checked } = provider
  const lost = repeatable
    ? 'The submission is repeated; the provider detects the duplicate.'
    : lookup?.by === 'reference'
      ? 'The result is queried by our reference.'
      : 'The outcome is unknown until a receipt arrives or the deadline passes.'
  const rows = [
    [
      'Receipts',
      [callback === undefined ? '' : 'By callback', poll === undefined ? '' : 'by polling']
        .filter(Boolean)
        .join(' and ') || 'None',
    ],
    ['After a lost response', lost],
    [
      'After an acceptance without a receipt',
      lookup === undefined ? 'No action.' : 'The result is queried at the provider.',
    ],
  ]
  return [
    '## Results',
    '',
    '| | |',
    '| --- | --- |',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    '',
    '## Sources',
    '',
    `Based on public documentation as of ${checked}:`,
    '',
    ...sources.map((source) => `- <${source}>`),
  ].join('\n')
}
