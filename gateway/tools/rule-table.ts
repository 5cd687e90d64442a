/** Creates the table of docs/reference/rules.md. */
import { kakaoReportCodes, rcsReportCodes, textReportCodes } from '../src/channels/report-codes.ts'
import { rules, type TrustRule } from '../src/trust/rules.ts'
import { toTable } from './markdown.ts'

export function ruleTable(): string {
  return toTable([
    ['Rule', 'Demands', 'Enforced at', 'Code; report code (text, RCS, Kakao)', 'Initially', 'Settings'],
    ...rules.map(toRow),
  ])
}

function toRow(rule: TrustRule): string[] {
  const { id, demands, enforcedAt, initiallyOn, settings = [], command } = rule
  return [
    `\`${id}\``,
    command === undefined ? demands : `${demands} See \`${command}\`.`,
    enforcedAt.join(', '),
    toCodes(rule),
    initiallyOn === undefined ? 'always' : initiallyOn ? 'on' : 'off',
    settings.map((name) => `\`${name}\``).join(', ') || '–',
  ]
}

function toCodes({ code, cause }: TrustRule): string {
  const reported =
    cause === undefined
      ? undefined
      : [textReportCodes, rcsReportCodes, kakaoReportCodes].map((codes) => codes[cause].code).join(', ')
  return [code, reported].filter((part) => part !== undefined).join('; ') || '–'
}
