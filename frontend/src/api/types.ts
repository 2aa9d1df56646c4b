/** Who is signed in. */
export interface Me {
  name: string
  platformAdmin: boolean
  mustChangePassword: boolean
}
