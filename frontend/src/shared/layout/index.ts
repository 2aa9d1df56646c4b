export { Card } from './Card'
export { Columns, Facts, PageHead } from './Page'
export { LinkButton } from './LinkButton'
