/** Behaviours selected by the last four digits of the recipient; handle-submission.ts carries them out. */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { ReportOutcome, PortedRefusal, Refusal } from './dialect.ts'

export interface Behaviour extends EndingRow {
  /** Refuses the first `tries` attempts with the same content. */
  readonly refuse?: { readonly refusal: Refusal | PortedRefusal; readonly tries: number }
  readonly answer:
    | 'at once'
    | 'slowly'
    | 'never'
    | 'by disconnecting'
    | 'after its report'
    | 'HTTP 500'
    | 'broken XML'
  /** If false, the message is discarded: only `answer` applies. */
  readonly accepts: boolean
  readonly reports: readonly ReportOutcome[]
  readonly late: boolean
}

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  return { ending, summary, answer: 'at once', accepts: true, reports: ['delivered'], late: false, ...change }
}

const always = Infinity

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: 1000, or `Retrieved`. Default for all other numbers.'),
  row('0002', 'Failed, unknown subscriber: SKT 2103, KT 4301, LGU+ 2003, 3GPP `Rejected`.', {
    reports: ['no-subscriber'],
  }),
  row('0003', 'Accepted without a report.', { reports: [] }),
  row('0004', 'Delivered; the report is sent twice.', { reports: ['delivered', 'delivered'] }),
  row('0005', 'Delivered; the report is sent before the submit response.', { answer: 'after its report' }),
  row('0006', 'Expired: SKT 4006, KT 8330, LGU+ 3001, 3GPP `Expired`.', { reports: ['expired'] }),
  row('0007', 'Rejected by report as spam: SKT 2004, KT 4400, LGU+ 3002, 3GPP `Rejected`.', {
    reports: ['spam'],
  }),
  row('0008', 'Refused at submit, invalid recipient: SKT 2007, KT 2107, LGU+ and 3GPP 2002.', {
    refuse: { refusal: 'recipient', tries: always },
  }),
  row('0009', 'Throttled once, then delivered: SKT 4008, KT 4202, LGU+ 7103, 3GPP 4006.', {
    refuse: { refusal: 'throttled', tries: 1 },
  }),
  row('0010', 'Throttled five times, then delivered.', { refuse: { refusal: 'throttled', tries: 5 } }),
  row('0011', 'Delivered; the submit response arrives after `--slow-ms`.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the report has an id unknown to the client.', {
    answer: 'by disconnecting',
  }),
  row('0013', 'Disconnects without accepting the message.', { answer: 'by disconnecting', accepts: false }),
  row('0014', 'An intermediate report, then delivered: 3GPP `Deferred`, KT 8300, SKT 2102, LGU+ 3001.', {
    reports: ['deferred', 'delivered'],
  }),
  row('0015', 'Delivered; the report arrives after `--late-ms`.', { late: true }),
  row('0016', 'Failed, phone switched off: SKT 2102, KT 8403, LGU+ 3001, 3GPP `Expired`.', {
    reports: ['phone-off'],
  }),
  row('0017', 'System error once, then delivered: SKT 4005, KT 3000, LGU+ 4030, 3GPP 3000.', {
    refuse: { refusal: 'system', tries: 1 },
  }),
  row('0018', 'Accepted without a response; the report follows.', { answer: 'never' }),
  row('0019', 'Failed, blocked by the recipient: SKT 4007, KT 4307, LGU+ 6014, 3GPP `Rejected`.', {
    reports: ['blocked'],
  }),
  row('0020', 'Unknown: SKT 4005, KT 9999, LGU+ 4000, 3GPP `Indeterminate`.', { reports: ['unknown'] }),
  row('0051', 'Failed, number ported: KT 4302 (to SKT), LGU+ 6102, SKT 2103, 3GPP `Rejected`.', {
    reports: ['ported-1'],
  }),
  row('0052', 'Failed, number ported: KT 4303 (to LGU+), LGU+ 6102, SKT 2103, 3GPP `Rejected`.', {
    reports: ['ported-2'],
  }),
  row('0053', 'HTTP 500 without accepting the message.', { answer: 'HTTP 500', accepts: false }),
  row('0054', 'HTTP 500 after accepting the message; the report follows.', { answer: 'HTTP 500' }),
  row('0055', 'HTTP 200 with a truncated envelope after accepting the message; the report follows.', {
    answer: 'broken XML',
  }),
  row('0056', 'Failed, origin code not accepted: SKT 2003, KT 2200, LGU+ 4032, 3GPP `Rejected`.', {
    reports: ['origin'],
  }),
  row('0057', 'Failed, no MMS on the handset: SKT 2103, KT 4305, LGU+ 6072, 3GPP `Unrecognised`.', {
    reports: ['no-mms'],
  }),
  row('0058', 'Refused at submit, invalid credentials: SKT 2002, KT 4100, LGU+ 6024, 3GPP 4001.', {
    refuse: { refusal: 'credentials', tries: always },
  }),
  row('0059', 'Refused at submit, duplicate: KT 2163, SKT 2007, LGU+ and 3GPP 4004.', {
    refuse: { refusal: 'duplicate', tries: always },
  }),
  row(
    '0080',
    'Ported to SKT: refused at submit by KT with 4302 and by LGU+ with 6102; SKT and 3GPP deliver it.',
    { refuse: { refusal: 'ported-to-skt', tries: always } },
  ),
  row('0081', 'Ported to LGU+: refused at submit by KT with 4303; the others deliver it.', {
    refuse: { refusal: 'ported-to-lgu', tries: always },
  }),
  row('0082', 'Ported to SKT, as reported: KT 4302, LGU+ 6102; SKT and 3GPP deliver it.', {
    reports: ['at-skt'],
  }),
]

export const behaviourFor = chooseByEnding(behaviours)
