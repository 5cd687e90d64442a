/** The body of the bind request; the same for all three kinds of bind. */
import type { SmppOptions } from './options.ts'
import type { BindKind, BodyOf } from './pdu.ts'

const interfaceVersion34 = 0x34

export function bindBody(options: SmppOptions): BodyOf<BindKind> {
  return {
    systemId: options.systemId,
    password: options.password,
    systemType: options.systemType,
    interfaceVersion: interfaceVersion34,
    addrTon: 0,
    addrNpi: 0,
    addressRange: options.addressRange,
  }
}
