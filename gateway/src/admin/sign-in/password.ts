/**
 * Signs local operators in with a name, a password and a code. Whatever is wrong, the answer and its cost are the same, for a name that
 * does not exist, too. At the first sign-in a first password is replaced and the second factor enrolled; before that nobody gets a session.
 * Every try is recorded, refused ones within the bound of `refused-sign-ins.ts`.
 */
import { hashPassword, hashPasswordAs, unusableSalt } from '../../accounts/password.ts'
import { CheckQueue, type CheckLane } from '../../api/tokens/check-queue.ts'
import { appendAudit } from '../../audit/queries.ts'
import { Problem } from '../../contract/problem.ts'
import {
  countWrongCode,
  findSalt,
  maxWrongCodes,
  offerTotp,
  totpAssociatedData,
  readLogin,
  startPasswordSession,
  type Login,
  type Proof,
} from '../../operators/login-queries.ts'
import { createRecoveryCodes, hashRecoveryCode } from '../../operators/recovery-code.ts'
import { createSession, type NewSession } from '../../operators/session.ts'
import { createTotpSecret, findStep, otpauthUri } from '../../operators/totp.ts'
import { clock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database.ts'
import { OperationError, wrongField } from '../../acts/errors.ts'
import type { RefusedSignIns } from '../refused-sign-ins.ts'
import type { AdminServices } from '../services.ts'
import { placeOf, signedInAct, signInAction, unknownAct, type SignInCaller } from './caller.ts'
import { SignInPauses, type Reservation } from './pauses.ts'

export interface GivenPassword {
  readonly name: string
  readonly password: string
  /** Of the authenticator app, or a recovery code. */
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

/** What the code proves. */
type CodeProof =
  | { readonly step: number; readonly recoveryHash: null }
  | { readonly step: null; readonly recoveryHash: string }

interface Checked {
  readonly proof: Proof
  readonly login: Login
  readonly code: CodeProof
  readonly newHash: string | null
  readonly caller: SignInCaller
}

/** People sign in some times a day: a few may wait. In `postern all` the API of clients checks passwords, too. */
const waiting: Readonly<Record<CheckLane, number>> = { familiar: 10, stranger: 10 }
const running = 2

export class PasswordSignIn {
  readonly #services: AdminServices
  readonly #refused: RefusedSignIns
  readonly #pauses: SignInPauses
  readonly #checks = new CheckQueue(waiting, running)

  constructor(services: AdminServices, refused: RefusedSignIns, pauses = new SignInPauses()) {
    this.#services = services
    this.#refused = refused
    this.#pauses = pauses
  }

  async run(given: GivenPassword, caller: SignInCaller): Promise<PasswordOutcome> {
    const { name, password, newPassword } = given
    if (newPassword !== undefined && (newPassword === password || newPassword.toLowerCase().includes(name)))
      throw wrongField('newPassword', 'must differ from the present one and not contain the name')
    const salt = await findSalt(this.#services.signIns, name)
    const familiar = salt?.networks.includes(caller.network) === true
    const lane = familiar ? 'familiar' : 'stranger'
    const reservation = this.#reserve(name, caller, familiar)
    const hash = await this.#check(lane, reservation, () =>
      hashPasswordAs(password, salt?.salt ?? unusableSalt),
    )
    const proof: Proof = { name, hash }
    const recoveryHash = given.code === undefined ? null : hashRecoveryCode(given.code)
    const login = await readLogin(this.#services.signIns, proof, recoveryHash)
    if (login === null) throw await this.#wrong(proof, caller)
    // As if there were no such operator: nobody tries passwords of operators where clients sign in.
    if (login.role !== 'client' && this.#services.config.adminFor === 'clients')
      throw await this.#wrong(proof, caller, 'only clients are served')
    if (!login.enrolled && (given.code === undefined || login.totpSecret === null)) {
      const enrolment = await this.#offer(proof, login)
      reservation.giveBack()
      await this.#refused.record(signInAction, unknownAct(caller), name, { needs: 'second factor' })
      return { step: 'enrol', enrolment }
    }
    const code = await this.#readCode(given.code, login, recoveryHash)
    if (code === null) throw await this.#wrong(proof, caller, whyOf(login))
    if (login.initial && newPassword === undefined) {
      reservation.giveBack()
      await this.#refused.record(signInAction, unknownAct(caller), name, { needs: 'new password' })
      return { step: 'new-password' }
    }
    const newHash =
      newPassword === undefined ? null : await this.#check(lane, reservation, () => hashPassword(newPassword))
    const outcome = await this.#start({ proof, login, code, newHash, caller })
    if (outcome === null) throw await this.#wrong(proof, caller, whyOf(login))
    reservation.succeeded()
    return outcome
  }

  #reserve(name: string, { network }: SignInCaller, familiar: boolean): Reservation {
    try {
      return this.#pauses.reserve({ name, network, familiar })
    } catch (error) {
      this.#refused.leaveOut()
      throw error
    }
  }

  async #check(lane: CheckLane, reservation: Reservation, work: () => Promise<string>): Promise<string> {
    try {
      return await this.#checks.run(lane, work)
    } catch (error) {
      reservation.giveBack()
      if (!(error instanceof Problem)) throw error
      this.#refused.leaveOut()
      throw new OperationError('unavailable', 'too many passwords are being checked; repeat the request', {
        retryAfterSeconds: 5,
      })
    }
  }

  /** The same statements for a wrong password and a wrong code, so that the time does not tell them apart. */
  async #wrong(proof: Proof, caller: SignInCaller, why?: string): Promise<OperationError> {
    await Promise.all([
      countWrongCode(this.#services.writes, proof),
      this.#refused.record(signInAction, unknownAct(caller), proof.name, why === undefined ? {} : { why }),
    ])
    return new OperationError('wrong-sign-in', 'the name, the password or the code is wrong')
  }

  /** A new one each time: whoever has seen an earlier offer cannot use what the operator confirms. */
  async #offer(proof: Proof, { operatorId, initial }: Login): Promise<Enrolment> {
    const secret = createTotpSecret()
    const { writes, encryption } = this.#services
    await inTransaction(writes, async (transaction) => {
      const stored = await encryption.encrypt(transaction, secret, totpAssociatedData(operatorId))
      if (!(await offerTotp(transaction, proof, stored)))
        throw new OperationError('refused', 'the sign-in was changed in this moment; sign in again')
    })
    return { secret, uri: otpauthUri(proof.name, secret), newPassword: initial }
  }

  async #readCode(
    given: string | undefined,
    { operatorId, totpSecret, totpStep, wrongCodes, recoveryKnown }: Login,
    recoveryHash: string | null,
  ): Promise<CodeProof | null> {
    if (given === undefined || totpSecret === null) return null
    const digits = given.replaceAll(/\s/g, '')
    if (/^\d{6}$/.test(digits)) {
      const { signIns, encryption } = this.#services
      const secret = await encryption.decrypt(signIns, totpSecret, totpAssociatedData(operatorId))
      const step = findStep(secret, digits, clock.now(), totpStep)
      return step === null || wrongCodes >= maxWrongCodes ? null : { step, recoveryHash: null }
    }
    return recoveryHash === null || !recoveryKnown ? null : { step: null, recoveryHash }
  }

  /** Null when the code was used before, or something was changed meanwhile. */
  #start({ proof, login, code, newHash, caller }: Checked): Promise<PasswordOutcome | null> {
    const { writes, config } = this.#services
    const session = createSession()
    const recoveryCodes = login.enrolled ? null : createRecoveryCodes()
    return inTransaction(writes, async (transaction) => {
      const started = await startPasswordSession(transaction, {
        ...{ ...proof, newHash, ...code, session, network: caller.network, place: placeOf(caller, config) },
        checkedSecret: login.totpSecret,
        recoveryHashes: recoveryCodes?.map((one) => hashRecoveryCode(one)!) ?? null,
      })
      if (!started) return null
      await appendAudit(transaction, signedInAct(caller, proof.name, login.role, session), {
        ...{ action: signInAction, result: 'done', target: proof.name },
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

/** For the audit log alone: the caller does not learn that the password was right. */
function whyOf({ wrongCodes }: Login): string {
  return wrongCodes >= maxWrongCodes ? 'too many wrong codes' : 'code'
}
