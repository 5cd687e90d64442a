/** The rules about the code of the operator that first accepted a message. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const notice = {
  text: 'MSIT notice 2026-48 against falsely shown caller numbers, art. 9',
  date: '2026-07-10',
}
const test = 'gateway/src/trust/origin/origin.test.ts'

export const originRules = [
  {
    id: 'origin-code-shape',
    demands:
      'An originCID that a client gives, and the codes of accounts and of the operator, match POSTERN_ORIGIN_PATTERN; without it they have nine digits.',
    source: { text: 'NHN Cloud: registration numbers of operators have nine digits', date: '2026-06' },
    settings: ['POSTERN_ORIGIN_PATTERN'],
    enforcedAt: ['accept', 'command', 'start'],
    code: 'A300',
    test,
  },
  {
    id: 'origin-code-owned',
    demands:
      'An originCID that a client gives is a code of its account, or that of the operator unless the account is a reseller.',
    source: notice,
    on: { newInstallation: true, upgraded: false },
    settings: ['POSTERN_ORIGIN_CODE'],
    enforcedAt: ['accept', 'submission'],
    code: 'A300',
    cause: 'origin-code',
    test,
  },
  {
    id: 'origin-code-present',
    demands:
      'Every SMS and MMS has a code: the one given, else the first of the account, else that of the operator; a reseller needs its own. While it is on, a process does not start without POSTERN_ORIGIN_CODE.',
    source: notice,
    on: { newInstallation: false, upgraded: false },
    settings: ['POSTERN_ORIGIN_CODE'],
    enforcedAt: ['accept', 'submission', 'start'],
    code: 'A300',
    cause: 'origin-code',
    test,
  },
  {
    id: 'origin-code-carried',
    demands: 'SMS and MMS take only routes whose protocol and options have a place for the code.',
    source: notice,
    on: { newInstallation: false, upgraded: false },
    enforcedAt: ['routing'],
    test,
  },
  {
    id: 'origin-code-unchanged',
    demands: 'The code reaches the carrier as it was given or set, in fallback steps too.',
    source: notice,
    enforcedAt: ['submission'],
    test: 'gateway/src/trust/origin/wire.test.ts',
  },
] as const satisfies readonly EnforcedRule[]

export const omittedOriginRules: readonly OmittedRule[] = [
  {
    id: 'reseller-certificate',
    demands: 'A reseller sends advertisements only with a valid certificate of sending qualification.',
    source: { text: 'Network Act art. 50-3', date: '2026-10-02' },
    omitted: 'Check certificates by contract, and stop an account without one with `postern account block`.',
  },
]
