/** The body of the bind request; the same for all three kinds of bind. */
import type { SmppOptions } from './options.ts'
import type { BindKind, BodyOf } from '../../smpp/pdu.ts'

const versions = { '3.4': 0x34, '5.0': 0x50 } as const

export function bindBody(options: SmppOptions): BodyOf<BindKind> {
  return {
    systemId: options.systemId,
    password: options.password,
    systemType: options.systemType,
    interfaceVersion: versions[options.interfaceVersion],
    addrTon: options.bindAddress.ton,
    addrNpi: options.bindAddress.npi,
    addressRange: options.addressRange,
  }
}
