/**
 * Logs the state of links. A carrier that is unavailable for hours must not fill the log: a failure is logged when it
 * starts and when its reason changes, and a refused password is logged as one alarm.
 */
import type { ConnectorLog } from '../connector.ts'
import type { BindKind } from '../../smpp/pdu.ts'
import type { SessionEnd } from './session.ts'
import { statusCode, statusName } from '../../smpp/status.ts'
import { RareLog } from '../../platform/rare-log.ts'

export class LinkLog {
  readonly #log: ConnectorLog
  readonly #reported = new Map<BindKind, string>()
  readonly #rareLog = new RareLog()
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
      'refused a malformed PDU; report it to the carrier, because a receipt in it is lost',
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
        'the carrier refuses our system id or password; check the options of the route',
      )
    }
    const failure = `${reason} ${bindStatus ?? ''}`
    if (this.#reported.get(role) === failure) return
    this.#reported.set(role, failure)
    const code = bindStatus === null ? undefined : statusCode(bindStatus)
    this.#log.warn({ role, reason, code, pauseMs }, 'session closed; reconnecting after the pause')
  }
}
