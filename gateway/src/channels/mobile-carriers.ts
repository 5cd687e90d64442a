/** Codes of the recipient's mobile carrier, as reports, routes and receipts name it. Pure. */

/** Codes of the contract; the last two are kinds of number rather than companies. */
export const carrierNames = {
  '10000': 'other',
  '10001': 'SKT',
  '10002': 'KT',
  '10003': 'LGU',
  '10006': 'internet number',
  '10010': 'safety number',
} as const

export type MobileCarrier = keyof typeof carrierNames

/** The carrier is not known. */
export const unknownCarrier: MobileCarrier = '10000'

export function isMobileCarrier(code: string): code is MobileCarrier {
  return Object.hasOwn(carrierNames, code)
}

/** What is wrong with the code of a carrier; null when it is known. */
export function carrierError(code: string): string | null {
  if (isMobileCarrier(code)) return null
  return `unknown carrier '${code}'; must be one of ${carrierList()}`
}

export function carrierList(): string {
  return Object.entries(carrierNames)
    .map(([code, name]) => `${code} ${name}`)
    .join(', ')
}
