/**
 * Signs local operators in with a name, a password and a code. A wrong name, password or code has the same response and
 * the same cost. At the first sign-in the initial password is replaced and the second factor enrolled; no session is
 * created before that. Sign-ins are recorded, and refusals within the limit of `refused-sign-ins.ts`.
 */
import { hashPassword, hashPasswordAs, unusableSalt } from '../../identity/accounts/password.ts'
import { CheckQueue, type CheckLane } from '../../edge/api/tokens/check-queue.ts'
import { appendAudit } from '../../identity/audit/queries.ts'
import { Problem } from '../../contract/problem.ts'
import {
  countWrongCode,
  findSalt,
  maxWrongCodes,
  insertTotpOffer,
  totpAssociatedData,
  readLoginState,
  startPasswordSession,
  type LoginState,
  type LoginProof,
} from '../../identity/operators/login-queries.ts'
import { createRecoveryCodes, hashRecoveryCode } from '../../identity/operators/recovery-code.ts'
import { createSession, type NewSession } from '../../identity/operators/session.ts'
import { createTotpSecret, findTotpStep, otpauthUri } from '../../identity/operators/totp.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { OperationError, wrongField } from '../errors.ts'
import { findWeakness } from '../operators/logins.ts'
import type { RefusedSignIns } from '../refused-sign-ins.ts'
import type { AdminServices } from '../services.ts'
import {
  toSessionOrigin,
  sessionContext,
  signInAction,
  anonymousContext,
  type SignInCaller,
} from './caller.ts'
import { SignInPauses, type AttemptReservation } from './pauses.ts'

export interface PasswordRequestFields {
  readonly name: string
  readonly password: string
  /** Code from the authenticator app, or a recovery code. */
  readonly code?: string | undefined
  readonly newPassword?: string | undefined
}

export interface Enrolment {
  readonly secret: string
  readonly uri: string
  readonly newPassword: boolean
}

export type PasswordOutcome =
  | { readonly step: 'done'; readonly session: NewSession; readonly recoveryCodes: readonly string[] | null }
  | { readonly step: 'enrol'; readonly enrolment: Enrolment }
  | { readonly step: 'new-password' }

/** The proof given by a code. */
type CodeProof =
  | { readonly step: number; readonly recoveryHash: null }
  | { readonly step: null; readonly recoveryHash: string }

interface CheckedSignIn {
  readonly proof: LoginProof
  readonly login: LoginState
  readonly code: CodeProof
  readonly newHash: string | null
  readonly caller: SignInCaller
}

/** Operators sign in rarely, so few checks can wait; in `postern all` the client API uses the same threads. */
const maxWaiting: Readonly<Record<CheckLane, number>> = { known: 10, unknown: 10 }
const maxRunning = 2

export class PasswordSignIn {
  readonly #services: AdminServices
  readonly #refused: RefusedSignIns
  readonly #pauses: SignInPauses
  readonly #checks = new CheckQueue(maxWaiting, maxRunning)

  constructor(services: AdminServices, refused: RefusedSignIns, pauses = new SignInPauses()) {
    this.#services = services
    this.#refused = refused
    this.#pauses = pauses
  }

  async run(given: PasswordRequestFields, caller: SignInCaller): Promise<PasswordOutcome> {
    const { name, password, newPassword } = given
    if (newPassword !== undefined) {
      const weakness =
        newPassword === password ? 'must differ from the current one' : findWeakness(newPassword, name)
      if (weakness !== null) throw wrongField('newPassword', weakness)
    }
    const salt = await findSalt(this.#services.signIns, name)
    const known = salt?.networks.includes(caller.network) === true
    const lane = known ? 'known' : 'unknown'
    const reservation = this.#reserve(name, caller, known)
    const hash = await this.#check(lane, reservation, () =>
      hashPasswordAs(password, salt?.salt ?? unusableSalt),
    )
    const proof: LoginProof = { name, hash }
    const recoveryHash = given.code === undefined ? null : hashRecoveryCode(given.code)
    const login = await readLoginState(this.#services.signIns, proof, recoveryHash)
    if (login === null) throw await this.#wrong(proof, caller)
    // Treat this as an unknown operator: passwords of operators cannot be guessed where clients sign in.
    if (login.role !== 'client' && this.#services.config.adminAudience === 'clients')
      throw await this.#wrong(proof, caller, 'only clients are served')
    if (!login.enrolled && (given.code === undefined || login.totpSecret === null)) {
      const enrolment = await this.#offer(proof, login)
      reservation.giveBack()
      await this.#refused.record(signInAction, anonymousContext(caller), name, { needs: 'second factor' })
      return { step: 'enrol', enrolment }
    }
    const code = await this.#readCode(given.code, login, recoveryHash)
    if (code === null) throw await this.#wrong(proof, caller, refusalReason(login))
    if (login.initial && newPassword === undefined) {
      reservation.giveBack()
      await this.#refused.record(signInAction, anonymousContext(caller), name, { needs: 'new password' })
      return { step: 'new-password' }
    }
    const newHash =
      newPassword === undefined ? null : await this.#check(lane, reservation, () => hashPassword(newPassword))
    const outcome = await this.#start({ proof, login, code, newHash, caller })
    if (outcome === null) throw await this.#wrong(proof, caller, refusalReason(login))
    reservation.succeeded()
    return outcome
  }

  #reserve(name: string, { network }: SignInCaller, known: boolean): AttemptReservation {
    try {
      return this.#pauses.reserve({ name, network, known })
    } catch (error) {
      this.#refused.leaveOut()
      throw error
    }
  }

  async #check(
    lane: CheckLane,
    reservation: AttemptReservation,
    work: () => Promise<string>,
  ): Promise<string> {
    try {
      return await this.#checks.run(lane, work)
    } catch (error) {
      reservation.giveBack()
      if (!(error instanceof Problem)) throw error
      this.#refused.leaveOut()
      throw new OperationError('unavailable', 'too many passwords are being checked; retry', {
        retryAfterSeconds: 5,
      })
    }
  }

  /** Runs the same statements for a wrong password and a wrong code, so that their timing is equal. */
  async #wrong(proof: LoginProof, caller: SignInCaller, why?: string): Promise<OperationError> {
    await Promise.all([
      countWrongCode(this.#services.writes, proof),
      this.#refused.record(
        signInAction,
        anonymousContext(caller),
        proof.name,
        why === undefined ? {} : { why },
      ),
    ])
    return new OperationError('wrong-sign-in', 'the name, the password or the code is wrong')
  }

  /** Offers a new secret each time: an earlier offer that was seen by others must not be confirmed. */
  async #offer(proof: LoginProof, { operatorId, initial }: LoginState): Promise<Enrolment> {
    const secret = createTotpSecret()
    const { writes, encryption } = this.#services
    await inTransaction(writes, async (transaction) => {
      const stored = await encryption.encrypt(transaction, secret, totpAssociatedData(operatorId))
      if (!(await insertTotpOffer(transaction, proof, stored)))
        throw new OperationError('refused', 'the sign-in settings have just changed; sign in again')
    })
    return { secret, uri: otpauthUri(proof.name, secret), newPassword: initial }
  }

  async #readCode(
    given: string | undefined,
    { operatorId, totpSecret, totpStep, wrongCodes, recoveryKnown }: LoginState,
    recoveryHash: string | null,
  ): Promise<CodeProof | null> {
    if (given === undefined || totpSecret === null) return null
    const digits = given.replaceAll(/\s/g, '')
    if (/^\d{6}$/.test(digits)) {
      const { signIns, encryption } = this.#services
      const secret = await encryption.decrypt(signIns, totpSecret, totpAssociatedData(operatorId))
      const step = findTotpStep(secret, digits, clock.now(), totpStep)
      return step === null || wrongCodes >= maxWrongCodes ? null : { step, recoveryHash: null }
    }
    return recoveryHash === null || !recoveryKnown ? null : { step: null, recoveryHash }
  }

  /** Returns null if the code was already used, or if something changed in the meantime. */
  #start({ proof, login, code, newHash, caller }: CheckedSignIn): Promise<PasswordOutcome | null> {
    const { writes, config } = this.#services
    const session = createSession()
    const recoveryCodes = login.enrolled ? null : createRecoveryCodes()
    return inTransaction(writes, async (transaction) => {
      const started = await startPasswordSession(transaction, {
        ...proof,
        newHash,
        ...code,
        session,
        network: caller.network,
        place: toSessionOrigin(caller, config),
        checkedSecret: login.totpSecret,
        recoveryHashes: recoveryCodes?.map((recoveryCode) => hashRecoveryCode(recoveryCode)!) ?? null,
      })
      if (!started) return null
      await appendAudit(transaction, sessionContext(caller, proof.name, login.role, session), {
        action: signInAction,
        result: 'done',
        target: proof.name,
        details: {
          method: 'password',
          ...(login.enrolled ? {} : { secondFactor: 'enrolled' }),
          ...(code.recoveryHash === null ? {} : { recoveryCode: true }),
          ...(newHash === null ? {} : { newPassword: true }),
        },
      })
      return { step: 'done', session, recoveryCodes }
    })
  }
}

/** Returns the reason for the audit log; the caller must not learn that the password was right. */
function refusalReason({ wrongCodes }: LoginState): string {
  return wrongCodes >= maxWrongCodes ? 'too many wrong codes' : 'code'
}
