import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Scope } from '../../../identity/accounts/credential.ts'
import type { AccountDirectory } from '../../../identity/accounts/directory.ts'
import type { ServerCertificate } from '../../api/server/listen.ts'
import type { CheckLogin } from '../../api/tokens/login.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { safeText } from '../../../platform/logging/log-error.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { every, type Periodic } from '../../../platform/time/periodic.ts'
import { ThrottledLog } from '../../../platform/logging/throttled-log.ts'
import type { PduOf } from '../../../carriers/smpp/pdu.ts'
import { statuses, statusName } from '../../../carriers/smpp/status.ts'
import { bindKinds } from './bind-queries.ts'
import type { Binds } from './binds.ts'
import { getActiveAccount, hasScope, type BoundCredential } from './bound-account.ts'
import { readProxyHeader } from './proxy-protocol.ts'
import { ClientSession, type SessionLimits } from './session.ts'
import type { BindRequest, SubmitResponse } from '../session-responses.ts'
import { bindStatus } from '../statuses.ts'
import type { Submit } from '../submit/submit.ts'
import { parseSubmit } from '../submit/submit-request.ts'
import { UnboundConnections, type UnboundConnection } from './unbound-connections.ts'

export interface SmppServerContext {
  readonly accounts: AccountDirectory
  readonly checkLogin: CheckLogin
  readonly binds: Pick<Binds, 'register' | 'unregister'>
  readonly submit: Submit
  /** Throws if the copies of accounts are too old to decide. */
  readonly requireFresh: () => void
  /** Called when a bind of the account has room for deliveries. */
  readonly onRoom: (accountId: number) => void
  readonly limits: SessionLimits
  readonly maxConnections: number
  /** Addresses from which clients logged in before this process started. */
  readonly knownAddresses: readonly string[]
  /** Set if every connection begins with a PROXY protocol header. */
  readonly proxyProtocol: boolean
  readonly metrics: Metrics
  readonly log: Log
}

/** Maximum submits in progress in the process; each session may have one more. */
const maxOpen = 20_000
const checkMs = 1_000

/**
 * Accepts connections of SMPP clients within limits, binds them to accounts, passes their requests to acceptance, and
 * tracks which binds can receive. A bind ends within two seconds after its credential is revoked or its account is
 * blocked.
 */
export class SmppServer {
  readonly #context: SmppServerContext
  readonly #sessions = new Map<ClientSession, BoundCredential | null>()
  readonly #receivers = new Map<number, Set<ClientSession>>()
  readonly #unbound: UnboundConnections
  readonly #checking: Periodic
  readonly #rareLog = new ThrottledLog()
  #server: Server | undefined
  #open = 0
  #bound = 0
  #stopping = false

  constructor(context: SmppServerContext) {
    this.#context = context
    this.#unbound = new UnboundConnections(() => this.#showConnections(), context.knownAddresses)
    this.#checking = every(checkMs, 'checking the binds of SMPP clients', context.log, () => {
      this.#check()
      return Promise.resolve()
    })
  }

  /** Resolves with the TLS server, whose certificate can be replaced, or undefined without a certificate. */
  async listen(
    host: string,
    port: number,
    certificate: ServerCertificate | undefined,
  ): Promise<TlsServer | undefined> {
    const handshakeTimeout = this.#context.limits.bindTimeoutMs
    // The TLS server does not listen itself, because a PROXY header precedes the handshake.
    const tlsServer =
      certificate === undefined
        ? undefined
        : createTlsServer({ ...certificate, handshakeTimeout }, (socket) => this.#connect(socket))
    tlsServer?.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
    const server = createTcpServer((socket) =>
      this.#admit(socket, () =>
        tlsServer === undefined ? this.#connect(socket) : tlsServer.emit('connection', socket),
      ),
    )
    server.maxConnections = this.#context.maxConnections
    server.listen(port, host)
    await once(server, 'listening')
    this.#server = server
    return tlsServer
  }

  get port(): number {
    return (this.#server!.address() as AddressInfo).port
  }

  listReceivers(accountId: number, scope: Scope): readonly ClientSession[] {
    const sessions = this.#receivers.get(accountId)
    if (sessions === undefined) return []
    return [...sessions].filter(
      (session) => session.canReceive && hasScope(this.#sessions.get(session)?.credential, scope),
    )
  }

  receivingAccounts(): Iterable<number> {
    return this.#receivers.keys()
  }

  /** Stops accepting connections and requests, responds to requests in progress, and unbinds. */
  async stop(drainMs: number): Promise<void> {
    this.#stopping = true
    this.#server?.close()
    await this.#checking.stop()
    await Promise.all(
      [...this.#sessions.keys()].map((session) => session.unbind('the server stops', drainMs)),
    )
    this.#unbound.destroy()
  }

  #admit(socket: Socket, onAdmitted: () => void): void {
    const { proxyProtocol, limits } = this.#context
    const unbound = this.#stopping ? null : this.#unbound.admit(socket)
    if (unbound === null) return void socket.destroy()
    const identify = (address: string): void => {
      if (this.#stopping || !this.#unbound.identify(unbound, address)) return void socket.destroy()
      onAdmitted()
    }
    if (proxyProtocol) readProxyHeader(socket, limits.bindTimeoutMs, identify)
    else identify(socket.remoteAddress!)
  }

  #connect(socket: Socket): void {
    const unbound = this.#unbound.find(socket)
    if (this.#stopping || unbound === undefined) return void socket.destroy()
    const id = randomBytes(9).toString('base64url')
    const session = new ClientSession(id, socket, unbound.address, this.#context.limits, {
      bind: (bound, request) => this.#bind(bound, request, unbound),
      submit: (bound, request) => this.#submit(bound, request),
      isCrowded: () => this.#open >= maxOpen,
      onOpen: (change) => this.#opened(change),
      onRoom: (bound) => this.#onRoom(bound),
      onClosed: (closed, reason) => this.#closed(closed, reason),
    })
    this.#sessions.set(session, null)
  }

  async #bind(session: ClientSession, request: BindRequest, unbound: UnboundConnection): Promise<number> {
    const status = await this.#tryBind(session, request).catch((error: unknown) => {
      const refusal = bindStatus(error)
      const suppressed = refusal === statuses.ESME_RSYSERR ? this.#rareLog.due('unchecked') : undefined
      if (suppressed !== undefined)
        this.#context.log.warn(
          { reason: safeText(error), suppressed },
          'an SMPP bind could not be checked; the client can retry',
        )
      return refusal
    })
    this.#context.metrics.smppBinds.inc({ status: statusName(status) })
    if (status === statuses.ESME_ROK) this.#unbound.accept(unbound)
    else this.#logRefusal(session.address, statusName(status))
    return status
  }

  /** Logs one line per status every few seconds, because anyone who reaches the port can cause refusals. */
  #logRefusal(address: string, status: string): void {
    const suppressed = this.#rareLog.due(status)
    if (suppressed !== undefined)
      this.#context.log.info({ address, status, suppressed }, 'an SMPP bind was refused')
  }

  async #tryBind(session: ClientSession, request: BindRequest): Promise<number> {
    const { checkLogin, binds, log } = this.#context
    const { kind, systemId, password } = request
    // Longer values cannot be valid and must be neither compared nor stored.
    if (systemId === '' || systemId.length > 64 || password.length > 100) return statuses.ESME_RINVPASWD
    const requester = { clientId: systemId, address: session.address }
    const { account, credential } = await checkLogin(requester, password, clock.date())
    const canSend = hasScope(credential, 'send')
    const canReceive = hasScope(credential, 'report') || hasScope(credential, 'replies')
    if (kind === 'bind_receiver' ? !canReceive : !canSend) return statuses.ESME_RBINDFAIL
    const bind = { id: session.id, accountId: account.id, kind: bindKinds[kind], address: session.address }
    if (!(await binds.register(bind, account.smppBinds))) return statuses.ESME_RALYBND
    if (session.closed) {
      await binds.unregister(session.id)
      return statuses.ESME_RBINDFAIL
    }
    this.#sessions.set(session, { accountId: account.id, systemId, credential })
    this.#bound += 1
    if (kind !== 'bind_transmitter' && canReceive) {
      const receivers = this.#receivers.get(account.id) ?? new Set<ClientSession>()
      this.#receivers.set(account.id, receivers.add(session))
    }
    log.info(
      { account: account.clientId, bind: session.id, kind, address: session.address },
      'SMPP client bound',
    )
    return statuses.ESME_ROK
  }

  async #submit(session: ClientSession, pdu: PduOf<'submit_sm'>): Promise<SubmitResponse> {
    const response = await this.#trySubmit(session, pdu)
    this.#context.metrics.smppSubmits.inc({ status: statusName(response.status) })
    return response
  }

  #trySubmit(session: ClientSession, pdu: PduOf<'submit_sm'>): Promise<SubmitResponse> {
    const refuse = (status: number): Promise<SubmitResponse> => Promise.resolve({ status, messageId: '' })
    const request = parseSubmit(pdu, clock.now())
    if ('status' in request) return refuse(request.status)
    const bound = this.#sessions.get(session)
    const account = bound == null ? null : getActiveAccount(this.#context.accounts, bound)
    if (account === null) return refuse(statuses.ESME_RINVBNDSTS)
    try {
      this.#context.requireFresh()
    } catch {
      return refuse(statuses.ESME_RSYSERR)
    }
    return this.#context.submit(account, request)
  }

  #check(): void {
    for (const [session, bound] of this.#sessions)
      if (bound !== null && session.bound && getActiveAccount(this.#context.accounts, bound) === null)
        void session.unbind('the account or the credential is no longer valid', 1_000)
  }

  #opened(change: 1 | -1): void {
    const wasCrowded = this.#open >= maxOpen
    this.#open += change
    if (wasCrowded && this.#open < maxOpen)
      for (const session of this.#sessions.keys()) session.resumeReading()
  }

  #onRoom(session: ClientSession): void {
    const bound = this.#sessions.get(session)
    if (bound != null) this.#context.onRoom(bound.accountId)
  }

  #closed(session: ClientSession, reason: string): void {
    const bound = this.#sessions.get(session)
    this.#sessions.delete(session)
    if (bound == null) return
    this.#bound -= 1
    this.#showConnections()
    const receivers = this.#receivers.get(bound.accountId)
    receivers?.delete(session)
    if (receivers?.size === 0) this.#receivers.delete(bound.accountId)
    this.#context.log.info({ bind: session.id, reason }, 'SMPP client unbound')
    this.#context.binds
      .unregister(session.id)
      .catch((error: unknown) =>
        this.#context.log.warn(
          { err: error as Error, bind: session.id },
          'the end of an SMPP bind could not be stored; the bind counts until a retry succeeds or this process ends',
        ),
      )
  }

  #showConnections(): void {
    this.#context.metrics.smppConnections.set({ state: 'unbound' }, this.#unbound.size)
    this.#context.metrics.smppConnections.set({ state: 'bound' }, this.#bound)
  }
}
