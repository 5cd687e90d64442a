import { Pending } from '../../components/Pending.tsx'

export function AccountsScreen() {
  return <Pending screen="accounts" command="postern account list" />
}
