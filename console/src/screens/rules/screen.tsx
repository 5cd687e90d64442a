import { Pending } from '../../components/Pending.tsx'

export function RulesScreen() {
  return <Pending screen="rules" command="postern trust list" />
}
