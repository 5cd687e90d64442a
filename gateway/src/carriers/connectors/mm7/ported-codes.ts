/** Codes of responses and reports for ported numbers, with the carrier to use instead. */
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import { findCode, type CodeTable } from './code-table.ts'
import type { DialectName } from './dialect.ts'
import type { Mm7Options } from './options.ts'

/** LGU+ does not state the carrier. KT is next, because it reports SKT if the number is not its own. */
export const portedCodes: Readonly<Record<DialectName, CodeTable<MobileCarrier>>> = {
  '3gpp': {},
  skt: {},
  kt: { 4302: '10001', 4303: '10003' },
  lgu: { 6102: '10002' },
}

export function portedTo(
  options: Pick<Mm7Options, 'dialect' | 'portedCodes'>,
  code: string,
): { readonly portedTo?: MobileCarrier } {
  const carrier = findCode(options.portedCodes, code) ?? findCode(portedCodes[options.dialect], code)
  return carrier === undefined || carrier === 'none' ? {} : { portedTo: carrier }
}
