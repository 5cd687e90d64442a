/**
 * Logs the state of links. A failure is logged when it starts and when its reason changes, and a refused password as one
 * alarm, so that a carrier that is unavailable for hours does not fill the log.
 */
import type { ConnectorLog } from '../connector.ts'
import type { BindKind } from '../../smpp/pdu.ts'
import type { SessionEnd } from './session.ts'
import { statusCode, statusName } from '../../smpp/status.ts'
import { ThrottledLog } from '../../../platform/logging/throttled-log.ts'

export class LinkLog {
  readonly #log: ConnectorLog
  readonly #reported = new Map<BindKind, string>()
  readonly #rareLog = new ThrottledLog()
  #alarmed = false

  constructor(log: ConnectorLog) {
    this.#log = log
  }

  bound(role: BindKind): void {
    this.#reported.delete(role)
    this.#alarmed = false
    this.#log.info({ role }, 'session bound')
  }

  malformed(reason: string): void {
    const suppressed = this.#rareLog.due(reason)
    if (suppressed === undefined) return
    this.#log.warn(
      { reason, suppressed },
      'refused a malformed PDU; a receipt in it is lost; report it to the carrier',
    )
  }

  closed(role: BindKind, end: SessionEnd, pauseMs: number, refused: boolean): void {
    const { reason, bindStatus } = end
    if (refused) {
      if (this.#alarmed) return
      this.#alarmed = true
      const code = statusCode(bindStatus!)
      const fields = { role, code, name: statusName(bindStatus!), pauseMs, alarm: true }
      return this.#log.error(
        fields,
        'the carrier refuses the system id or the password; check the options of the route',
      )
    }
    const failure = `${reason} ${bindStatus ?? ''}`
    if (this.#reported.get(role) === failure) return
    this.#reported.set(role, failure)
    const code = bindStatus === null ? undefined : statusCode(bindStatus)
    this.#log.warn({ role, reason, code, pauseMs }, 'session closed; reconnecting after the pause')
  }
}
