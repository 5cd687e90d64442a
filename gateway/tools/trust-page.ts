// The rules of trust, as docs/trust.md: what each demands, where it is enforced, which test shows it, where it comes from.

import { kakaoReportCodes, rcsReportCodes, textReportCodes } from '../src/channels/report-codes.ts'
import type { EnforcedRule } from '../src/trust/rule.ts'
import { omittedRules, rules } from '../src/trust/rules.ts'

export function trustPage(): string {
  return [
    '# Rules of trust',
    '',
    'Who may send what, from which sender. Generated from `gateway/src/trust/rules.ts`; [add a rule](add-a-rule.md) says how to change it.',
    'Law and the practice of carriers differ and change: your counsel and your contracts with carriers decide.',
    '',
    'A rule with a switch is turned on and off with `postern trust enable` and `postern trust disable`; processes follow within two',
    'seconds. A new installation begins with the switches in the column _new_, one that was in use before the rule with those in the',
    'column _upgraded_. _If set_ means that it holds where the operator has set what it needs. `postern trust list` shows those of yours. [Senders](senders.md) says how to register senders, [advertisements](advertising.md) what is set for them.',
    '',
    'At _accept_ a rule refuses a send with its code, in a dry run too. At _submission_ it is judged again just before a message is',
    'claimed for its carrier, for messages that were accepted before a change: the step fails with the report code of its channel, and',
    'a fallback step follows. At _routing_ it removes routes from the choice.',
    '',
    '## Enforced',
    '',
    '| Rule | Demands | Enforced at | Code; report code (text, RCS, Kakao) | New | Upgraded | Settings | Test | Source |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rules.map(row),
    '',
    '## Left out',
    '',
    '| Rule | Demands | Why it is left out, and what to do instead | Source |',
    '| --- | --- | --- | --- |',
    ...omittedRules.map(
      ({ id, demands, omitted, source }) =>
        `| ${id} | ${demands} | ${omitted} | ${source.text} (${source.date}) |`,
    ),
    '',
  ].join('\n')
}

function row(rule: EnforcedRule): string {
  const { id, demands, enforcedAt, on, isOffUnlessSet, settings = [], test, source } = rule
  const constant = isOffUnlessSet === true ? 'if set' : 'always'
  const switches = on === undefined ? [constant, constant] : [on.newInstallation, on.upgraded].map(onOrOff)
  const cells = [
    `\`${id}\``,
    demands,
    enforcedAt.join(', '),
    codesOf(rule),
    ...switches,
    settings.map((name) => `\`${name}\``).join(', ') || '–',
    [test]
      .flat()
      .map((file) => `[test](../${file})`)
      .join(', '),
    `${source.text} (${source.date})`,
  ]
  return `| ${cells.join(' | ')} |`
}

function codesOf({ code, cause }: EnforcedRule): string {
  const reported =
    cause === undefined
      ? []
      : [[textReportCodes, rcsReportCodes, kakaoReportCodes].map((codes) => codes[cause].code).join(', ')]
  return [...(code === undefined ? [] : [code]), ...reported].join('; ') || '–'
}

function onOrOff(on: boolean): string {
  return on ? 'on' : 'off'
}
