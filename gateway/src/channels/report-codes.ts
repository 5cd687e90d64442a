/**
 * Report codes by family and cause: the first digit is the family (1 delivered on every channel, 2 text, 3
 * RCS, 6 Kakao). In the text family 22000 means that no delivery is known within the time allowed, so its
 * outcome is `unknown`. The other 22xxx are failures that were temporary at the carrier, and 23xxx are final.
 * 32xxx and 33xxx have the same meanings for RCS. 9xxxx are the gateway's own. `report-details.ts` has codes
 * that are more specific than a cause.
 */
import type { ReportCode } from './channel.ts'
import { causes, type Cause } from './cause.ts'
import { reportDetails } from './report-details.ts'
import type { Language, ReportCodeMeaning, ReportMeanings } from './report-meaning.ts'
import { englishMeanings } from './report-meanings-en.ts'
import { koreanMeanings } from './report-meanings-ko.ts'

export const textReportCodes: Readonly<Record<Cause, ReportCode>> = {
  delivered: { code: '10000', text: 'Delivered' },
  timeout: { code: '22000', text: 'No delivery within the time allowed' },
  'temporary-failure': { code: '22006', text: 'Temporary failure at the carrier' },
  'radio-failure': { code: '22002', text: 'Radio failure' },
  'phone-off': { code: '22003', text: 'Phone switched off' },
  'buffer-full': { code: '22004', text: 'Message memory of the phone full' },
  'shadow-area': { code: '22005', text: 'Phone in a shadow area' },
  failed: { code: '23000', text: 'Delivery failed' },
  'no-subscriber': { code: '23001', text: 'No such subscriber' },
  'bad-number': { code: '23003', text: 'Wrong recipient number' },
  refused: { code: '23006', text: 'Refused by the carrier' },
  unsupported: { code: '23010', text: 'Not supported by the phone' },
  spam: { code: '23012', text: 'Blocked as spam' },
  attachment: { code: '23016', text: 'Attachment not acceptable' },
  'unregistered-sender': { code: '23023', text: 'Sender number not registered' },
  duplicate: { code: '23025', text: 'Duplicate message' },
  'night-hours': { code: '23029', text: 'Advertisement in barred hours' },
  'origin-code': { code: '23036', text: 'Wrong originCID' },
  'no-route': { code: '90000', text: 'No route for this message' },
  cancelled: { code: '90010', text: 'Cancelled before sending' },
  'account-stopped': { code: '90011', text: 'The account is stopped' },
  suppressed: { code: '90012', text: 'The recipient has opted out' },
  cap: { code: '90013', text: 'Cap of the account reached' },
  'advertisement-form': { code: '90014', text: 'Wrong form of an advertisement' },
  'outcome-unknown': { code: '99999', text: 'The carrier never reported an outcome' },
}

export const rcsReportCodes = withFamily('3', {
  unsupported: { code: '33101', text: 'The phone does not support RCS' },
  attachment: { code: '33120', text: 'File not acceptable' },
})

const kakaoFailed: ReportCode = { code: '69999', text: 'Delivery failed' }

export const kakaoReportCodes: Readonly<Record<Cause, ReportCode>> = {
  ...mapCodes((cause) => (isSharedCode(cause) ? textReportCodes[cause] : kakaoFailed)),
  timeout: { code: '63005', text: 'No confirmation from the messenger' },
  'no-subscriber': { code: '63019', text: 'Not a user of the messenger' },
  'bad-number': { code: '63008', text: 'Wrong recipient number' },
  'unregistered-sender': { code: '61003', text: 'Wrong sender key' },
  'night-hours': { code: '63022', text: 'Outside the hours allowed' },
  attachment: { code: '63024', text: 'Image not acceptable' },
}

function withFamily(
  digit: string,
  overrides: Partial<Record<Cause, ReportCode>>,
): Readonly<Record<Cause, ReportCode>> {
  const codes = mapCodes((cause) => {
    const { code, text } = textReportCodes[cause]
    return isSharedCode(cause) ? { code, text } : { code: digit + code.slice(1), text }
  })
  return { ...codes, ...overrides }
}

/** Returns whether the cause has the same code in every family. */
function isSharedCode(cause: Cause): boolean {
  return cause === 'delivered' || textReportCodes[cause].code.startsWith('9')
}

function mapCodes(codeOf: (cause: Cause) => ReportCode): Record<Cause, ReportCode> {
  return Object.fromEntries(causes.map((cause) => [cause, codeOf(cause)])) as Record<Cause, ReportCode>
}

/**
 * Returns the report code of a step that ended with this cause. A detail is ignored unless it belongs to this
 * cause and family: it can come from a newer process or another channel.
 */
export function getReportCode(
  family: Readonly<Record<Cause, ReportCode>>,
  cause: Cause,
  detail: string | undefined,
): ReportCode {
  if (detail === undefined || detail[0] !== family.failed.code[0]) return family[cause]
  const detailEntry = reportDetails.get(detail)
  return detailEntry?.cause === cause ? { code: detail, text: detailEntry.text.en } : family[cause]
}

export const reportOutcomes = ['delivered', 'failed', 'unknown'] as const
export type ReportOutcome = (typeof reportOutcomes)[number]

/** `timeout` is ambiguous: a carrier stopped trying, or no receipt arrived in time. */
const uncertainCauses: ReadonlySet<Cause | undefined> = new Set(['timeout', 'outcome-unknown', undefined])

/** Returns `unknown` for every code of a message that may have been delivered. */
export function toReportOutcome(code: string): ReportOutcome {
  const cause = causeByCode.get(code)
  if (cause === 'delivered') return cause
  return uncertainCauses.has(cause) ? 'unknown' : 'failed'
}

/** Returns meaning, usual cause and next action of a report code; null for a code that no channel reports. */
export function explainReportCode(code: string, language: Language): ReportCodeMeaning | null {
  const { byCode, byCause, byFault } = languages[language]
  const detail = reportDetails.get(code)
  if (detail !== undefined) return { text: detail.text[language], ...byFault[detail.fault] }
  const cause = causeByCode.get(code)
  return cause === undefined ? null : (byCode[code] ?? byCause[cause])
}

const languages: Readonly<Record<Language, ReportMeanings>> = { en: englishMeanings, ko: koreanMeanings }

/** The cause of each code. Kakao has one code for many causes, which maps to the general failure. */
export const causeByCode: ReadonlyMap<string, Cause> = toCauses([
  textReportCodes,
  rcsReportCodes,
  kakaoReportCodes,
])

function toCauses(families: readonly Readonly<Record<Cause, ReportCode>>[]): Map<string, Cause> {
  const byCode = new Map<string, Cause>()
  for (const codes of families) {
    for (const cause of causes) {
      const { code } = codes[cause]
      byCode.set(code, (byCode.get(code) ?? cause) === cause ? cause : 'failed')
    }
  }
  for (const [code, { cause }] of reportDetails) byCode.set(code, cause)
  return byCode
}

/** Every code that a report can have, in order. */
export const reportCodes: readonly string[] = [...causeByCode.keys()].sort()
