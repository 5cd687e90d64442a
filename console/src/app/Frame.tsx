/** Frame around every screen: menu and ledger strip. Shows the sign-in form if there is no session. */
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api/call.ts'
import { SignIn } from './SignIn.tsx'
import { hasKey, signedOut, useSession } from '../session/session.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'
import { Choices } from './Choices.tsx'
import { LedgerStrip } from './LedgerStrip.tsx'
import { isForClients, Navigation } from './navigation.tsx'
import { NotFound } from './NotFound.tsx'

async function signOut(): Promise<void> {
  // A session that cannot be ended now expires later.
  if (!hasKey()) await call('endSession', {}).catch(() => undefined)
  signedOut()
}

export function Frame() {
  const { operator } = useSession()
  if (operator === null) return <SignIn />
  const { name, role, account } = operator
  return <SignedIn name={name} role={role} account={account} />
}

interface Who {
  readonly name: string
  readonly role: string
  /** Account of a client user. */
  readonly account: string | null
}

function SignedIn({ name, role, account }: Who) {
  const t = useTexts(shared)
  const [open, setOpen] = useState(false)
  const content = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useFocusOnChange(content)
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t.skip}
      </a>
      <header className="side" data-open={open}>
        <div className="side-top">
          <Link className="brand" to="/">
            <img src="/icon.svg" alt="" width="26" height="26" />
            {t.product}
          </Link>
          <button
            type="button"
            className="button menu-button"
            aria-expanded={open}
            aria-controls="screens"
            onClick={() => setOpen(!open)}
          >
            {t.menu}
          </button>
        </div>
        <Navigation forClient={account !== null} onChoose={() => setOpen(false)} />
        <div className="side-foot">
          <Choices />
          <span className="who">{t.signedInAs(name, account ?? role)}</span>
          <button type="button" className="button" onClick={() => void signOut()}>
            {t.signOut}
          </button>
        </div>
      </header>
      <div className="main">
        {account === null ? <LedgerStrip /> : null}
        <main id="content" className="content" tabIndex={-1} ref={content}>
          {account === null || isForClients(pathname) ? <Outlet /> : <NotFound />}
        </main>
      </div>
    </div>
  )
}

/** Moves the focus to the start of a new screen, where screen readers continue. */
function useFocusOnChange(content: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    content.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [pathname, content])
}
