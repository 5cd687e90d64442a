/**
 * Flows over every channel, from brand message to SMS. The last digits of the number select the behaviour of
 * each carrier and therefore the step at which a flow ends. Earlier steps fail immediately by a response or
 * later by a receipt.
 */
import { kakaoContent } from './kakao.ts'
import { silentTtlSeconds, type UploadedImages } from './protocol.ts'
import { rcsText } from './rcs.ts'

export interface PlannedFlow {
  readonly ref: string
  readonly to: string
  readonly body: object
  /** Channel and code of the report of each attempted step. */
  readonly reports: readonly (readonly [serviceType: string, code: string])[]
  /** Accepted messages by carrier. */
  readonly taken: Readonly<Record<string, number>>
  /** Throttling responses by carrier. */
  readonly throttled: Readonly<Record<string, number>>
}

/** Number prefix of flows; every route of a flow accepts it. */
export const flowPrefix = '01079'

const steps = ['BRANDMESSAGE', 'ALIMTALK', 'FRIENDTALK', 'RCS', 'MMS', 'SMS'] as const

interface Row {
  readonly ending: string
  /** Report codes of the steps. */
  readonly codes: readonly string[]
  readonly taken: PlannedFlow['taken']
  readonly throttled?: PlannedFlow['throttled']
  /** Steps whose content Kakao rejects for any number. */
  readonly wrong?: readonly (typeof steps)[number][]
}

const delivered = '10000'
const kakao = (code: string): string[] => [code, code, code]
const everyCarrier = { kakao: 3, maap: 1, 'mm7-kt': 1, 'smsc-flows': 1 }

const rows: readonly Row[] = [
  { ending: '0001', codes: [delivered], taken: { kakao: 1 } },
  { ending: '0009', codes: [delivered], taken: { kakao: 1 }, throttled: { kakao: 1 } },
  { ending: '0001', codes: ['61003', delivered], taken: { kakao: 1 }, wrong: ['BRANDMESSAGE'] },
  {
    ending: '0001',
    codes: ['61003', '61003', delivered],
    taken: { kakao: 1 },
    wrong: ['BRANDMESSAGE', 'ALIMTALK'],
  },
  // RCS carriers reject the token once.
  { ending: '0058', codes: [...kakao('61003'), delivered], taken: { maap: 1 } },
  // The quota is used up until the step deadline.
  { ending: '0060', codes: [...kakao('69999'), '32000', delivered], taken: { 'mm7-kt': 1 } },
  ...[
    { ending: '0051', codes: [...kakao('63016'), '33121', '23001', delivered] },
    { ending: '0052', codes: [...kakao('63022'), '33023', '23001', delivered] },
    { ending: '0057', codes: [...kakao('63015'), '33121', '23010', delivered] },
  ].map((row) => ({ ...row, taken: { 'mm7-kt': 1, 'smsc-flows': 1 } })),
  // Rejected by every carrier immediately, or failed at every carrier by a receipt.
  { ending: '0008', codes: [...kakao('63008'), '33003', '23003', '23003'], taken: {} },
  ...[
    { ending: '0002', codes: [...kakao('63019'), '33101', '23001', '23001'] },
    { ending: '0006', codes: [...kakao('63005'), '32000', '22000', '22000'] },
    { ending: '0007', codes: [...kakao('63020'), '33006', '23012', '23012'] },
    { ending: '0016', codes: [...kakao('63018'), '32003', '22003', '22003'] },
  ].map((row) => ({ ...row, taken: everyCarrier })),
]

export function planFlows({ mms }: UploadedImages): PlannedFlow[] {
  const from = '0212345678'
  return rows.map(({ ending, codes, taken, wrong = [], throttled = {} }, index) => {
    const ref = `flow-${index}-${ending}`
    const to = `${flowPrefix}${String(index).padStart(2, '0')}${ending}`
    const text = `${ref} 안녕하세요`
    const messageFlow = [
      { brandmessage: kakaoContent('brandmessage', text, wrong.includes('BRANDMESSAGE')) },
      { alimtalk: kakaoContent('alimtalk', text, wrong.includes('ALIMTALK')) },
      { friendtalk: kakaoContent('friendtalk', text) },
      { rcs: { ...rcsText(text), ttl: String(silentTtlSeconds) } },
      { mms: { from, text, fileKey: [mms] } },
      { sms: { from, text } },
    ]
    const reports = codes.map((code, nth) => [steps[nth]!, code] as const)
    return { ref, to, body: { destinations: [{ to }], messageFlow, ref }, reports, taken, throttled }
  })
}
