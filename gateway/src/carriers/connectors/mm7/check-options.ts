/** Checks options beyond their schema, and identifies the login. */
import { checkCertificates } from '../http/certificates.ts'
import type { Mm7Options } from './options.ts'

/** Returns what identifies the login; routes with an equal one share receipts. */
export function mm7Login({
  url: address,
  vaspId,
  vasId,
  receiptGroup: group,
}: Mm7Options): readonly string[] {
  return group === undefined ? [new URL(address).host, vaspId, vasId] : [group]
}

export function checkMm7Options(options: Mm7Options): void {
  const { dialect, partnerId, user, password, webhookToken, reportUser, reportPassword } = options
  // Only options that are set arrive, without the defaults of the dialect.
  const { repeatable = false, transactionIdDigits = 0 } = options
  const needsPartner = dialect === 'skt' || dialect === 'kt'
  const faults: readonly (readonly [isWrong: boolean, text: string])[] = [
    [!URL.canParse(options.url), 'url must be an http or https URL, such as https://mmsc.example/mm7'],
    [needsPartner && partnerId === undefined, `partnerId is required for ${dialect}`],
    [dialect === 'skt' && options.skt.relayId === '', 'skt.relayId is required for skt'],
    [(user === undefined) !== (password === undefined), 'user and password are required together'],
    [user?.includes(':') === true, 'user must not contain a colon'],
    [
      (reportUser === undefined) !== (reportPassword === undefined),
      'reportUser and reportPassword are required together',
    ],
    [
      webhookToken === undefined && reportUser === undefined,
      'webhookToken, or reportUser and reportPassword, is required',
    ],
    [
      repeatable && transactionIdDigits > 0,
      'repeatable must be false if transactionIdDigits is above 0: two messages can have the same short TransactionID, and the second would be taken for a repeated one',
    ],
  ]
  const fault = faults.find(([isWrong]) => isWrong)
  if (fault !== undefined) throw new Error(`mm7 options: ${fault[1]}`)
  checkCertificates(options.tls ?? {}, 'mm7 options: tls.')
}
