/**
 * Who is signed in. The key of an operator is kept in the memory of this page alone, so closing or reloading it signs out. A method that uses
 * a cookie implements the same interface: it has no headers, and `restore` asks the API who the cookie belongs to.
 */
import { useSyncExternalStore } from 'react'
import type { Operations } from '../generated/operations.ts'

export type Operator = Operations['showMe']['data']

export interface SignInMethod {
  /** Of every request. */
  headers: () => Readonly<Record<string, string>>
  /** After the page was loaded: the operator, or null when a sign-in is needed. */
  restore: () => Promise<Operator | null>
  signOut: () => Promise<void>
}

export interface KeySignIn extends SignInMethod {
  useKey: (key: string | null) => void
}

function createKeySignIn(): KeySignIn {
  let key: string | null = null
  return {
    headers: (): Readonly<Record<string, string>> => (key === null ? {} : { authorization: `Bearer ${key}` }),
    restore: () => Promise.resolve(null),
    signOut: () => {
      key = null
      return Promise.resolve()
    },
    useKey: (given) => {
      key = given
    },
  }
}

export const signInMethod: KeySignIn = createKeySignIn()

export interface SessionState {
  readonly operator: Operator | null
  /** Signed in before, and refused since. */
  readonly ended: boolean
}

let state: SessionState = { operator: null, ended: false }
const listeners = new Set<() => void>()

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

export const signedInAs = (operator: Operator): void => change({ operator, ended: false })
/** Called when the API refuses a request as unauthenticated. */
export const sessionEnded = (): void => {
  if (state.operator !== null) change({ operator: null, ended: true })
}

export async function signOut(): Promise<void> {
  await signInMethod.signOut()
  change({ operator: null, ended: false })
}

export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

export type Right = Operator['rights'][number]

/** Whether the operator may do it. The API decides; this only keeps buttons away that it would refuse. */
export function useRight(right: Right): boolean {
  return useSession().operator?.rights.includes(right) ?? false
}
