/**
 * Who is signed in. A session is a cookie that no script can read; the key of an operator is kept in the memory of this page alone, so
 * closing or reloading it signs out.
 */
import { useSyncExternalStore } from 'react'
import { clientOperations, type OperationId, type Operations } from '../generated/operations.ts'

export type Operator = Operations['showMe']['data']

let key: string | null = null

export const setKey = (given: string | null): void => {
  key = given
}
/** Of every request; with a cookie, none. */
export const signInHeaders = (): Readonly<Record<string, string>> =>
  key === null ? {} : { authorization: `Bearer ${key}` }
export const hasKey = (): boolean => key !== null

/** Whether this browser may have a cookie: without one, asking who it belongs to would count as a refused request. */
const hint = 'postern.session'

export function expectSession(): void {
  try {
    localStorage.setItem(hint, 'expected')
  } catch {
    // A browser without storage asks again at every start.
  }
}

/** In the address of whoever was signed in elsewhere, such as by the link of `npm run dev`. It says that there is a cookie, and nothing more. */
const mark = '#session'

export function isSessionExpected(): boolean {
  if (location.hash === mark) {
    expectSession()
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  try {
    return localStorage.getItem(hint) !== null
  } catch {
    return true
  }
}

function forgetSession(): void {
  key = null
  try {
    localStorage.removeItem(hint)
  } catch {
    // See above.
  }
}

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

/** Called when the API refuses a request as unauthenticated, also when a page is opened after the session has ended. */
export function sessionEnded(): void {
  const known = state.operator !== null || (key === null && isSessionExpected())
  forgetSession()
  if (known) change({ operator: null, ended: true })
}

export function signedOut(): void {
  forgetSession()
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

/** The account of an operator of a client, who sees nothing else; null for operators of the installation. */
export function useClientAccount(): string | null {
  return useSession().operator?.account ?? null
}

/** As `useRight`, for what a client does with its own account, too: `operation` is what the button calls. */
export function useMay(right: Right, operation: OperationId): boolean {
  const { operator } = useSession()
  if (operator === null) return false
  return operator.account === null ? operator.rights.includes(right) : clientOperations.has(operation)
}
