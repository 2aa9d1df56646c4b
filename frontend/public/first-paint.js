// Runs before the first paint, so that neither the theme nor the direction flashes. A file of its own because the content
// security policy forbids inline scripts.
;(function () {
  var root = document.documentElement
  var stored = function (key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  var scheme = stored('muster-color-scheme') || 'auto'
  var dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  var language = stored('muster-language') || (/^ar\b/.test(navigator.language) ? 'ar' : 'en')
  root.lang = language
  root.dir = language === 'ar' ? 'rtl' : 'ltr'
})()
