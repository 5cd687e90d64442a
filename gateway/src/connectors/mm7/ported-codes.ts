/** Codes of answers and reports that say that a number was ported, and the carrier to send to instead. Pure. */
import type { MobileCarrier } from '../../channels/mobile-carriers.ts'
import { valueOf, type Table } from './code-table.ts'
import type { DialectName } from './dialect.ts'
import type { Mm7Options } from './options.ts'

/** LGU+ does not name the carrier: KT is the next, because KT names SKT where the number is not its own. */
export const portedCodes: Readonly<Record<DialectName, Table<MobileCarrier>>> = {
  '3gpp': {},
  skt: {},
  kt: { 4302: '10001', 4303: '10003' },
  lgu: { 6102: '10002' },
}

export function portedTo(
  options: Pick<Mm7Options, 'dialect' | 'portedCodes'>,
  code: string,
): { readonly portedTo?: MobileCarrier } {
  const carrier = valueOf(options.portedCodes, code) ?? valueOf(portedCodes[options.dialect], code)
  return carrier === undefined || carrier === 'none' ? {} : { portedTo: carrier }
}
