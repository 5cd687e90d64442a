// The generated part of docs/trust.md: the rules. What follows `## Sources` is written by hand.

import { kakaoReportCodes, rcsReportCodes, textReportCodes } from '../src/channels/report-codes.ts'
import { rules, type TrustRule } from '../src/trust/rules.ts'

const heading = '\n## Sources\n'

/** `current` is the present text of the page. */
export function trustPage(current: string): string {
  const [, written = ''] = current.split(heading)
  return `${[
    '# Trust rules',
    '',
    'The rules that decide who may send what, from which sender. The table is generated from `gateway/src/trust/rules.ts`; [add a rule](add-a-rule.md) shows how to change it.',
    'Law and the practice of carriers differ and change: your counsel and your contracts with carriers decide.',
    '',
    'Switch a rule with `postern trust enable` and `postern trust disable`; processes follow within two seconds. A new installation begins with the',
    'switches in the column _initially_. `postern trust list` shows the present ones. Register senders as [senders](senders.md) describes, and advertising settings as in [advertisements](advertising.md).',
    '',
    'At _accept_ a rule refuses a send with its code, and a dry run too. At _submission_ it is checked again before a message is claimed',
    'for its carrier, because rules and registrations change: the step fails with the report code of its channel, and a fallback step',
    'follows. At _routing_ it removes routes from the choice.',
    '',
    '## Enforced',
    '',
    '| Rule | Demands | Enforced at | Code; report code (text, RCS, Kakao) | Initially | Settings |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rules.map(toRow),
    '',
  ].join('\n')}${heading}${written}`
}

function toRow(rule: TrustRule): string {
  const { id, demands, enforcedAt, initiallyOn, settings = [], command } = rule
  const cells = [
    `\`${id}\``,
    command === undefined ? demands : `${demands} See \`${command}\`.`,
    enforcedAt.join(', '),
    toCodes(rule),
    initiallyOn === undefined ? 'always' : initiallyOn ? 'on' : 'off',
    settings.map((name) => `\`${name}\``).join(', ') || '–',
  ]
  return `| ${cells.join(' | ')} |`
}

function toCodes({ code, cause }: TrustRule): string {
  const reported =
    cause === undefined
      ? undefined
      : [textReportCodes, rcsReportCodes, kakaoReportCodes].map((codes) => codes[cause].code).join(', ')
  return [code, reported].filter((part) => part !== undefined).join('; ') || '–'
}
