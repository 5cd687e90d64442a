/** The rules that protect against abuse: stopped accounts. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const notice = { text: 'MSIT notice 2026-48 against falsely shown caller numbers', date: '2026-07-10' }

export const abuseRules = [
  {
    id: 'account-stopped',
    demands:
      'Nothing that a blocked account has accepted is submitted: neither its backlog nor scheduled messages nor later steps. What waits ends, or is held until the account is unblocked. Its webhooks pause. The block is kept with its reason, who ordered it, the notice to the customer and what became of the messages.',
    source: { text: 'Network Act art. 50-4; MSIT notice 2026-48, art. 12', date: '2026-10-02' },
    enforcedAt: ['submission'],
    cause: 'account-stopped',
    test: 'gateway/src/roles/account-block.test.ts',
  },
] as const satisfies readonly EnforcedRule[]

export const omittedAbuseRules: readonly OmittedRule[] = [
  {
    id: 'stop-objection',
    demands: 'A customer may object to a block within 30 days, and is answered within 15.',
    source: { ...notice, text: `${notice.text}, art. 13` },
    omitted:
      'A procedure between people; the reason, the notice and the end of a block are kept (`postern account stops`).',
  },
  {
    id: 'blocked-message-record',
    demands:
      'Messages that were blocked are kept for a year with number, time and operator, and reported to KISA daily.',
    source: { ...notice, text: `${notice.text}, art. 19` },
    omitted:
      'The interface of KISA is not public. Refused requests are not stored; blocked messages that were accepted have a report with their code for as long as reports are kept: export these.',
  },
]
