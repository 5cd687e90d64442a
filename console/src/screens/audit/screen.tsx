import { Pending } from '../../components/Pending.tsx'

export function AuditScreen() {
  return <Pending screen="audit" command="postern audit" />
}
