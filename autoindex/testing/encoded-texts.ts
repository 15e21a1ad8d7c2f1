/**
 * Two sentences in each language, a short one as it stands in a comment and a longer one, with the encodings that such
 * texts were written in before UTF-8, by the names of iconv-lite.
 */
export const ENCODED_TEXTS: readonly [language: string, encodings: string, short: string, long: string][] = [
  [
    "Russian",
    "windows-1251 koi8-r iso-8859-5 cp866",
    "Возвращает список пользователей",
    "Программа читает настройки из файла и возвращает список пользователей. Если файл не найден, берутся значения по умолчанию.",
  ],
  [
    "Ukrainian",
    "windows-1251 koi8-u",
    "Повертає список користувачів їхніх",
    "Програма читає налаштування з файлу і повертає список користувачів. Якщо файл не знайдено, беруться значення за замовчуванням.",
  ],
  [
    "Bulgarian",
    "windows-1251",
    "Връща списък на потребителите",
    "Програмата чете настройките от файла и връща списък на потребителите. Ако файлът не е намерен, се използват стойностите по подразбиране.",
  ],
  [
    "Polish",
    "windows-1250 iso-8859-2",
    "Zwraca listę użytkowników, jeśli plik został wczytany",
    "Program czyta ustawienia z pliku i zwraca listę użytkowników. Jeśli plik nie został znaleziony, używane są wartości domyślne. Należy sprawdzić uprawnienia.",
  ],
  [
    "Czech",
    "windows-1250 iso-8859-2",
    "Vrátí seznam uživatelů ze souboru",
    "Program čte nastavení ze souboru a vrátí seznam uživatelů. Pokud soubor neexistuje, použijí se výchozí hodnoty. Příliš žluťoučký kůň.",
  ],
  [
    "Hungarian",
    "windows-1250 iso-8859-2",
    "Visszaadja a felhasználók listáját, ha a fájl betöltődött",
    "A program beolvassa a beállításokat a fájlból, és visszaadja a felhasználók listáját. Ha a fájl nem található, az alapértelmezett értékeket használja. Győződjön meg erről.",
  ],
  [
    "Croatian",
    "windows-1250 iso-8859-2",
    "Vraća popis korisnika iz datoteke, ako postoji još",
    "Program čita postavke iz datoteke i vraća popis korisnika. Ako datoteka nije pronađena, koriste se zadane vrijednosti. Možeš još provjeriti ključ.",
  ],
  [
    "German",
    "windows-1252 utf-16le utf-16be utf-32le utf-32be",
    "Gibt die Liste der Benutzer zurück, größer als null",
    "Das Programm liest die Einstellungen aus der Datei und gibt die Liste der Benutzer zurück. Wenn die Datei nicht gefunden wird, werden die Werte für größere Längen übernommen.",
  ],
  [
    "French",
    "windows-1252 iso-8859-15",
    "Renvoie la liste des utilisateurs créés à l'été",
    "Le programme lit les réglages dans le fichier et renvoie la liste des utilisateurs. Si le fichier n'a pas été trouvé, les valeurs par défaut sont utilisées. Où êtes-vous?",
  ],
  [
    "Spanish",
    "windows-1252",
    "Devuelve la lista de usuarios según el año",
    "El programa lee la configuración del archivo y devuelve la lista de usuarios. Si no se encuentra el archivo, se usan valores por omisión. ¿Qué pasó el último año?",
  ],
  [
    "Turkish",
    "windows-1254 iso-8859-9",
    "Kullanıcı listesini döndürür, dosya açılmışsa",
    "Program ayarları dosyadan okur ve kullanıcı listesini döndürür. Dosya bulunamazsa varsayılan değerler kullanılır. Çalıştırmak için şu komutu yazın, ğ harfi de var.",
  ],
  [
    "Greek",
    "windows-1253 iso-8859-7",
    "Επιστρέφει τη λίστα των χρηστών",
    "Το πρόγραμμα διαβάζει τις ρυθμίσεις από το αρχείο και επιστρέφει τη λίστα των χρηστών. Αν το αρχείο δεν βρεθεί, χρησιμοποιούνται οι προεπιλεγμένες τιμές.",
  ],
  [
    "Hebrew",
    "windows-1255 iso-8859-8",
    "מחזיר את רשימת המשתמשים",
    "התוכנית קוראת את ההגדרות מהקובץ ומחזירה את רשימת המשתמשים. אם הקובץ לא נמצא, משתמשים בערכי ברירת המחדל.",
  ],
  [
    "Arabic",
    "windows-1256 iso-8859-6",
    "يعيد قائمة المستخدمين من الملف",
    "يقرأ البرنامج الإعدادات من الملف ويعيد قائمة المستخدمين. إذا لم يتم العثور على الملف فسيتم استخدام القيم الافتراضية.",
  ],
  [
    "Lithuanian",
    "windows-1257 iso-8859-13",
    "Grąžina naudotojų sąrašą iš failo, jei jis įkeltas",
    "Programa skaito nustatymus iš failo ir grąžina naudotojų sąrašą. Jei failas nerastas, naudojamos numatytosios reikšmės. Šį kartą būtų žinoma, kad čia yra.",
  ],
  [
    "Latvian",
    "windows-1257 iso-8859-13",
    "Atgriež lietotāju sarakstu no faila, ja tas ir ielādēts",
    "Programma nolasa iestatījumus no faila un atgriež lietotāju sarakstu. Ja fails nav atrasts, tiek izmantotas noklusējuma vērtības. Šī ir pēdējā rinda, kurā būs ķļņģ.",
  ],
  ["Thai", "windows-874", "คืนรายชื่อผู้ใช้จากแฟ้ม", "โปรแกรมอ่านการตั้งค่าจากแฟ้มและคืนรายชื่อผู้ใช้ ถ้าไม่พบแฟ้มจะใช้ค่าเริ่มต้น"],
  [
    "Japanese",
    "shift_jis euc-jp utf-16le utf-16be",
    "設定ファイルを読み込む",
    "このプログラムは設定ファイルを読み込み、ユーザーの一覧を返す。ファイルが見つからない場合は、既定の値を使う。",
  ],
  [
    "Chinese, simplified",
    "gb18030",
    "返回所有用户的列表",
    "程序从文件中读取设置并返回用户列表。如果没有找到文件,则使用默认值。请检查权限。",
  ],
  [
    "Chinese, traditional",
    "big5",
    "傳回所有使用者的清單",
    "程式從檔案讀取設定並傳回使用者的清單。如果沒有找到檔案,就使用預設值。請檢查權限。",
  ],
  [
    "Korean",
    "euc-kr",
    "사용자 목록을 반환하는 함수",
    "프로그램은 파일에서 설정을 읽고 사용자 목록을 반환한다. 파일을 찾을 수 없으면 기본값을 사용한다.",
  ],
];
