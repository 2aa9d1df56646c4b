import { Link } from '@tanstack/react-router'
import { sayPath } from './names'

export function JobLink({ id, name, team }: { id: number; name?: string | null; team?: string | null }) {
  return (
    <Link to="/jobs/$id" params={{ id: String(id) }}>
      <bdi>
        {team && `${sayPath(team)} / `}
        {name ?? <span className="mono">{id}</span>}
      </bdi>
    </Link>
  )
}

export function NodeLink({ id }: { id: string }) {
  return (
    <Link to="/cluster" search={{ node: id }} className="mono">
      <bdi>{id}</bdi>
    </Link>
  )
}

export function TeamName({ path }: { path: string }) {
  return <bdi>{sayPath(path)}</bdi>
}
