import {
  Button,
  Drawer,
  Modal,
  createTheme,
  localStorageColorSchemeManager,
  type MantineThemeOverride,
} from '@mantine/core'

/** Colours, fonts and sizes are in tokens.css; here is only what Mantine wants as values. */
export const theme: MantineThemeOverride = createTheme({
  cursorType: 'pointer',
  components: {
    Button: Button.extend({ defaultProps: { variant: 'default', size: 'sm' } }),
    // No scroll lock: it would add a style element, which the content security policy forbids.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true, radius: 'md' } }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false } }),
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'muster-color-scheme' })
