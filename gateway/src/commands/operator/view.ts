/** What the commands of `postern operator` print, over either way. Pure. */
import type { PrintedKey } from '../../acts/operators.ts'
import type { ListedOperator, OperatorKey } from '../../operators/queries.ts'
import { table, timeText, type Result } from '../result.ts'

type Time = Date | string

export interface ShownKey extends Pick<OperatorKey, 'keyId' | 'initial' | 'createdBy'> {
  readonly createdAt: Time
  readonly endsAt: Time | null
  readonly revokedAt: Time | null
}

export interface ShownOperator extends Pick<
  ListedOperator,
  'name' | 'role' | 'account' | 'createdBy' | 'issuer' | 'password' | 'totp'
> {
  readonly createdAt: Time
  readonly disabledAt: Time | null
  readonly keys: readonly ShownKey[]
}

/** `usable`: the ids of the keys that work. Never prints a key. */
export function operatorsResult(
  operators: readonly ShownOperator[],
  usable: (key: ShownKey) => boolean,
): Result {
  const rows = operators.map(
    ({ name, role, account, disabledAt, keys, createdAt, createdBy, ...operator }) => [
      ...[name, account === null ? role : `${role} of ${account}`],
      ...[disabledAt === null ? 'active' : `disabled ${minute(disabledAt)}`],
      keys.filter(usable).map(describe).join(', ') || 'no key',
      describeSignIn(operator),
      `${minute(createdAt)} ${createdBy}`,
    ],
  )
  return {
    json: { operators },
    lines:
      rows.length === 0
        ? ['there are no operators: commands run as the user of the system']
        : table([['name', 'role', 'state', 'keys', 'browser', 'created'], ...rows]),
  }
}

const minute = (at: Time): string => `${timeText(at).slice(0, 16)}Z`
const day = (at: Time): string => timeText(at).slice(0, 10)

function describe({ keyId, initial, createdAt, createdBy, endsAt }: ShownKey): string {
  const end = endsAt === null ? '' : ` until ${day(endsAt)}`
  const made = `made ${day(createdAt)} by ${createdBy}`
  return `${keyId}${end} (${made}${initial ? ', to be replaced' : ''})`
}

/** How the operator signs in with a browser. */
function describeSignIn({
  issuer,
  password,
  totp,
}: Pick<ShownOperator, 'issuer' | 'password' | 'totp'>): string {
  if (issuer !== null) return issuer
  if (password === 'none') return 'no password'
  const second = totp ? 'second factor' : 'no second factor yet'
  return `${password === 'first' ? 'first password, to be replaced' : 'password'}, ${second}`
}

export interface ShownNewKey extends Pick<PrintedKey, 'keyId' | 'text'> {
  readonly endsAt: Time | null
}

export function keyResult(name: string, { keyId, text, endsAt }: ShownNewKey): Result {
  return {
    json: { name, keyId, key: text, endsAt },
    lines: [
      `operator  ${name}`,
      `key       ${text}`,
      'The key is not stored and cannot be shown again. Give it in POSTERN_OPERATOR_KEY, or the file that holds it as file:/path.',
    ],
  }
}

export function revokedResult(keyId: string): Result {
  return { json: { keyId, revoked: true }, lines: [`${keyId}: refused from the next command on`] }
}

export function roleResult(name: string, role: string): Result {
  return { json: { name, role }, lines: [`${name}: ${role}, from the next command on`] }
}

export function disabledResult(name: string, disabled: boolean): Result {
  return {
    json: { name, disabled },
    lines: [`${name}: ${disabled ? 'refused' : 'may sign in'}, from the next command on`],
  }
}

/** `generated`: printed, because nobody else knows it. */
export function passwordResult(name: string, first: boolean, generated: string | null): Result {
  return {
    json: { name, first, ...(generated === null ? {} : { password: generated }) },
    lines: [
      `operator  ${name}`,
      ...(generated === null
        ? []
        : [`password  ${generated}`, 'The password is not stored and cannot be shown again.']),
      first
        ? `${name} replaces it at the next sign-in; sessions of ${name} have ended`
        : 'set; your sessions have ended',
    ],
  }
}

export function resetResult(name: string, reset: boolean): Result {
  return {
    json: { name, reset },
    lines: [
      reset
        ? `${name} enrols another at the next sign-in; sessions of ${name} have ended`
        : `${name} had no second factor, and enrols one at the next sign-in`,
    ],
  }
}
