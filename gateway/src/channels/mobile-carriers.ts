/** Codes of the recipient's mobile carrier, as reports, routes and receipts name it. */

/** Contract codes; the last two are kinds of number rather than companies. */
export const mobileCarrierNames = {
  '10000': 'other',
  '10001': 'SKT',
  '10002': 'KT',
  '10003': 'LGU',
  '10006': 'internet number',
  '10010': 'safety number',
} as const

export type MobileCarrier = keyof typeof mobileCarrierNames

export const unknownCarrier: MobileCarrier = '10000'

export function isMobileCarrier(code: string): code is MobileCarrier {
  return Object.hasOwn(mobileCarrierNames, code)
}

/** Returns an error text for an unknown carrier code, or null if the code is known. */
export function carrierError(code: string): string | null {
  if (isMobileCarrier(code)) return null
  return `unknown carrier '${code}'; must be one of ${carrierList()}`
}

export function carrierList(): string {
  return Object.entries(mobileCarrierNames)
    .map(([code, name]) => `${code} ${name}`)
    .join(', ')
}
