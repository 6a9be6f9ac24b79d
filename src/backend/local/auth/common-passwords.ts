/** Passwords that are tried first: heads of the public lists of leaked ones, with what people would choose here. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
    000000 0000000000 0123456789 0987654321 1111 111111 11111111 1111111111 112233 11223344
    1122334455 112233445566 121212 1212121212 123123 123123123 1231231234 123321 1234 12345
    1234512345 123456 1234567 12345678 123456789 1234567890 1234567891 12345678910 123456789a
    123qwe 131313 147258369 1472583690 159357 1593572468 159753 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
    1qaz2wsx 1qaz2wsx3edc 2000 314159265 3141592653 555555 5555555555 654321 666666 696969
    741852963 777777 7777777 7777777777 789456123 7894561230 87654321 88888888 987654321
    9876543210 9999999999 a123456789 aa123456789 aaaaaa abc123 abc123456 abc12345678 abcd1234
    abcdefghij abcdefghijk access admin administrateur administrator alexander amanda amazon
    america american andrew android angel angels anthony anything apple april arizona arsenal
    asdfgh asdfghjkl asdfghjklz ashley august austin autumn autumn2024 autumn2025 autumn2026
    avengers babygirl banana barcelona baseball baseball1 batman benjamin beyonce biteme blessed
    blink182 boston brandon broncos brother bubbles business buster butterfly california canada
    captain changeit changeme charlie cheese chelsea chicago chocolate christopher coach
    coaching company computer cookie cookies correct-horse-battery-staple
    correcthorsebatterystaple corvette cowboys crystal dallas daniel danielle database daughter
    december default demo demodemo diamond dolphin dragon ducati eagle eagles elephant elizabeth
    eminem england entrepreneur everything example facebook falcon family father february
    ferrari florida flower flowers football football1 forever fortnite france freedom friday
    friend friends garfield george germany ginger godisgood goodbye goodmorning google guest
    hannah harley heaven hello hello123 helloworld hockey homer honda honey hunter ilovemyself
    iloveyou iloveyou1 iloveyouforever instagram internet iphone ironman isabella italy jackson
    january jennifer jessica jesus jesuschrist jonathan jordan joseph joshua july june
    justinbieber juventus kawasaki killer klaster lakers letmein letmeinnow liberty linkedin
    lion liverpool login london love madison maggie manager manchester march master matrix
    matthew melissa mercedes metallica mexico michael michelle mickey microsoft midnight
    minecraft mobilemail mom monday monitor monitoring monkey montana moon moonlight morgan
    moscow mother mustang mybusiness mypassword natalie nathan netflix newmexico newpassword
    newyork nicole nintendo nirvana nothing november october office olivia onedirection
    opensesame oracle orange owner packers panther paris pass passw0rd password password1
    password12 password123 password1234 passwordpassword passwort patricia patrick patriots
    paypal peaches pepper phoenix pikachu playstation pokemon porsche princess princess1 pumpkin
    purple q1w2e3r4t5 q1w2e3r4t5y6 qazwsx qazwsxedc qwerty qwerty123 qwerty1234 qwertyqwerty
    qwertyuiop qwertyuiopas raiders rainbow ranger realmadrid rebecca redsox richard rihanna
    robert roblox root samantha sample samsung samuel saturday scooby secret secretpassword
    september server shadow simpsons sister slipknot smallbusiness snoopy snowball soccer
    something sophia spain spiderman spotify spring spring2024 spring2025 spring2026 starlight
    startrek startup starwars steelers stephanie strawberry summer summer2024 summer2025
    summer2026 sunday sunflower sunshine sunshine1 superman superman1 superuser supervisor
    sweetheart sweetie system taylor temp temporary temppassword test tester testing
    testpassword testtest texas thomas thunder thursday tiger tigger tinkerbell toor toyota
    trellis trellispassword trustno1 tuesday twitter unicorn user username victoria wednesday
    welcome whatever whatsapp william windows winter winter2024 winter2025 winter2026 xbox
    yamaha yankees yellow youtube zaq12wsx zaq1xsw2 zxcvbn zxcvbnm zxcvbnmasd
  `
    .trim()
    .split(/\s+/),
);
