/** What the page of a provider says besides its options, from its module. Called when pages are generated. */
import type { Provider } from './provider.ts'

export function describeProvider(provider: Provider): string {
  const { lookup, callback, poll, repeatable, unconfirmed = [], sources, checked, notes = '' } = provider
  const lost = repeatable
    ? 'the submission is repeated: the provider recognizes it'
    : lookup?.by === 'reference'
      ? 'the provider is asked by our reference'
      : 'unknown until a receipt arrives or the deadline passes'
  const rows = [
    [
      'Receipts',
      [callback === undefined ? '' : 'by callback', poll === undefined ? '' : 'by polling']
        .filter(Boolean)
        .join(' and ') || 'none',
    ],
    ['After a lost response', lost],
    [
      'After an acceptance without a receipt',
      lookup === undefined ? 'nothing' : 'the provider is asked for the result',
    ],
  ]
  return [
    ...(notes === '' ? [] : [notes, '']),
    '| | |',
    '| --- | --- |',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    '',
    ...(unconfirmed.length === 0
      ? []
      : ['Not confirmed by a public source:', '', ...unconfirmed.map((line) => `- ${line}`), '']),
    `Written from public documentation, read ${checked}:`,
    '',
    ...sources.map((source) => `- <${source}>`),
    '',
    '`postern route try <route> --to <number> --text Hello` prints the request with secrets masked, and sends it with `--send`.',
  ].join('\n')
}
