import { Pending } from '../../components/Pending.tsx'

export function SandboxScreen() {
  return <Pending screen="sandbox" command="postern message show" />
}
