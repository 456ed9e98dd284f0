// Values that break layouts: without a place to break, from right to left, and markup.
export const ODD = {
  long: `user_${'0123456789abcdef'.repeat(15)}`,
  longEmail: `${'a'.repeat(64)}@${'long-subdomain.'.repeat(6)}example.com`,
  longName: 'Association of Independent Pottery Studios of the Northern Rhine Valley and Surrounding Districts',
  rightToLeft: 'שותפים של הסטודיו לקרמיקה',
  rightToLeftEmail: 'משתמש@דוגמה.example',
  markup: '"><script>alert(1)</script>',
};
