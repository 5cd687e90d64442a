/** Declares the parts of node-smpp that the tests use; the package has no types. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Socket } from 'node:net'

  export interface ShortMessage {
    readonly udh?: Buffer
    readonly message: string | Buffer
  }

  export interface Pdu {
    readonly command: string
    readonly command_status: number
    readonly sequence_number: number
    readonly message_id?: string
    readonly source_addr?: string
    readonly destination_addr?: string
    readonly esm_class?: number
    readonly short_message?: ShortMessage
    readonly message_payload?: ShortMessage
    readonly receipted_message_id?: string
    readonly message_state?: number
    readonly error_code?: number
    readonly network_error_code?: Buffer
    response(options?: Record<string, unknown>): Pdu
  }

  export type Command = (options: Record<string, unknown>, answered?: (response: Pdu) => void) => boolean

  export interface Session extends EventEmitter {
    readonly socket: Socket
    send(pdu: Pdu): boolean
    close(): void
    destroy(): void
    bind_transceiver: Command
    bind_receiver: Command
    bind_transmitter: Command
    submit_sm: Command
    data_sm: Command
    query_sm: Command
    cancel_sm: Command
    replace_sm: Command
    enquire_link: Command
    unbind: Command
  }

  export function connect(options: { host: string; port: number }): Session
}
