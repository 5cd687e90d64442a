/** First screen: the overview for operators, the account page for client users. */
import { lazy, Suspense } from 'react'
import { Loading } from '../../components/Loading.tsx'
import { useClientAccount } from '../../session/session.ts'

const Now = lazy(async () => ({ default: (await import('./screen.tsx')).NowScreen }))
const Account = lazy(async () => ({ default: (await import('../accounts/account.tsx')).AccountPage }))

export function HomeScreen() {
  const account = useClientAccount()
  return <Suspense fallback={<Loading />}>{account === null ? <Now /> : <Account id={account} />}</Suspense>
}
