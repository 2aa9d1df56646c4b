import {
  Button,
  Drawer,
  Modal,
  createTheme,
  localStorageColorSchemeManager,
  type MantineThemeOverride,
} from '@mantine/core'

/**
 * Colours, fonts and sizes are in tokens.css; here is only what Mantine wants as values.
 *
 * @param close what the button says that closes a dialog, to those who do not see its cross
 */
export function themeIn(close: string): MantineThemeOverride {
  // No scroll lock: it would add a style element, which the content security policy forbids.
  const dialog = { lockScroll: false, closeButtonProps: { 'aria-label': close } }
  return createTheme({
    cursorType: 'pointer',
    components: {
      Button: Button.extend({ defaultProps: { variant: 'default', size: 'sm' } }),
      Modal: Modal.extend({ defaultProps: { ...dialog, centered: true, radius: 'md' } }),
      Drawer: Drawer.extend({ defaultProps: dialog }),
    },
  })
}

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'muster-color-scheme' })
