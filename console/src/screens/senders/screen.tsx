import { Pending } from '../../components/Pending.tsx'

export function SendersScreen() {
  return <Pending screen="senders" command="postern sender list" />
}
