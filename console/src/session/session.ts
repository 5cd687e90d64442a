/**
 * The current session: a cookie that scripts cannot read, or an operator key in the memory of this page, which is lost when the
 * page is closed or reloaded.
 */
import { useSyncExternalStore } from 'react'
import { clientOperations, type OperationId, type Operations } from '../generated/operations.ts'

export type Operator = Operations['showMe']['data']

let key: string | null = null

export const setKey = (given: string | null): void => {
  key = given
}
/** Headers for every request; empty if the session is a cookie. */
export const signInHeaders = (): Readonly<Record<string, string>> =>
  key === null ? {} : { authorization: `Bearer ${key}` }
export const hasKey = (): boolean => key !== null

/**
 * Item of the local storage: a note that this browser may have a session cookie. Without the note, `showMe` is not called at the
 * start, because the API would count it as a refused request.
 */
const expectationItem = 'postern.session'

export function expectSession(): void {
  try {
    localStorage.setItem(expectationItem, 'expected')
  } catch {
    // Without storage, every start calls `showMe`.
  }
}

/** Fragment of a link from a page that has signed in the browser, such as that of `npm run dev`. */
const sessionFragment = '#session'

/**
 * Reports whether this browser may have a session cookie. A fragment that promises one is stored as the note and removed from
 * the URL, so that a reload or a copied link does not promise it again.
 */
export function consumeSessionHint(): boolean {
  if (location.hash === sessionFragment) {
    expectSession()
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  try {
    return localStorage.getItem(expectationItem) !== null
  } catch {
    return true
  }
}

function forgetSession(): void {
  key = null
  try {
    localStorage.removeItem(expectationItem)
  } catch {
    // Ignored, as in `expectSession`.
  }
}

export interface SessionState {
  readonly operator: Operator | null
  /** The API refused a session that existed or was expected. */
  readonly ended: boolean
}

let state: SessionState = { operator: null, ended: false }
const listeners = new Set<() => void>()

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

export const signedInAs = (operator: Operator): void => change({ operator, ended: false })

/** Handles an unauthenticated response, including the first one of a newly opened page. */
export function sessionEnded(): void {
  const hadSession = state.operator !== null || (key === null && consumeSessionHint())
  forgetSession()
  if (hadSession) change({ operator: null, ended: true })
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

/** Reports whether the operator has a right. Only hides buttons; the API enforces rights. */
export function useRight(right: Right): boolean {
  return useSession().operator?.rights.includes(right) ?? false
}

/** Returns the account of a client user, or null for operators of the installation. */
export function useClientAccount(): string | null {
  return useSession().operator?.account ?? null
}

/** Like `useRight`, but for client users reports whether they can call `operation` on their own account. */
export function useMay(right: Right, operation: OperationId): boolean {
  const { operator } = useSession()
  if (operator === null) return false
  return operator.account === null ? operator.rights.includes(right) : clientOperations.has(operation)
}

/** Requests of a page without input for this long are marked as background. */
const idleAfterMs = 60_000

let lastInputAt = performance.now()

for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(type, () => (lastInputAt = performance.now()), { capture: true, passive: true })

/** Marks polling of an unattended page, so that it does not keep the session alive. */
export function activityHeaders(): Readonly<Record<string, string>> {
  return performance.now() - lastInputAt < idleAfterMs ? {} : { 'postern-background': '1' }
}
